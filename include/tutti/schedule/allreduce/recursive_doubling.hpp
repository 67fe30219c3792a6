// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/exchanges.hpp>

namespace tutti {

/// Allreduce of whole vectors: ranks at distance 1, 2, 4, ... exchange what they have and both fold it. For
/// short vectors. See allreduce_exchanges.
///
/// Rounds: lg p; ceil(lg p) + 1 if p is not a power of two.
/// Volume: busiest rank sends and folds ceil(lg p) vectors (one block each).
/// Order: kept; both partners fold the lower ranks on the left, so all have the same bits. Restrictions:
/// none. Source: Rabenseifner and Adamidis 2004, section 3.4.
using allreduce_recursive_doubling = allreduce_exchanges<doubling_exchanges>;

constexpr auto generate(collective_constant<collective::allreduce>, const recursive_doubling&, place at) {
    return allreduce_recursive_doubling(at);
}

} // namespace tutti
