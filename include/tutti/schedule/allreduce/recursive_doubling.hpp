// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/recursive_multiplying.hpp>

namespace tutti {

/// Allreduce of whole vectors: ranks at distance 1, 2, 4, ... exchange what they have and both fold it. For
/// short vectors. If p is not a power of two, the odd ranks of the first pairs give their vector to the even
/// ones first and get the result last.
///
/// Rounds: lg p; ceil(lg p) + 1 if p is not a power of two.
/// Volume: busiest rank sends as many vectors (one block) as there are rounds, folds ceil(lg p).
/// Order: kept; both partners fold the lower ranks on the left, so all have the same bits. Restrictions:
/// none. Source: Rabenseifner and Adamidis 2004, section 3.4.
constexpr auto generate(collective_constant<collective::allreduce>, const recursive_doubling&, place at) {
    return allreduce_recursive_multiplying(at, 2);
}

} // namespace tutti
