// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/exchanges.hpp>

namespace tutti {

/// Allreduce of whole vectors by exchange at the distances of Swing, ..., 11, -5, 3, -1, 1:
/// recursive_doubling with a third less of way on a ring. For short vectors. The farthest come first, where
/// the source has them last: then what ranks have are classes that they share, and all fold alike; else each
/// has a window of its own. See allreduce_exchanges.
///
/// Rounds: lg p; ceil(lg p) + 1 if p is not a power of two.
/// Volume: busiest rank sends and folds ceil(lg p) vectors (one block each).
/// Order: needs a commutative operation; same bits on all ranks. Restrictions: none.
/// Source: De Sensi, Bonato, Saam and Hoefler 2024 (NSDI), the latency-optimal algorithm.
using allreduce_swing_latency = allreduce_exchanges<swing_exchanges>;

constexpr auto generate(collective_constant<collective::allreduce>, const swing_latency&, place at) {
    return allreduce_swing_latency(at);
}

} // namespace tutti
