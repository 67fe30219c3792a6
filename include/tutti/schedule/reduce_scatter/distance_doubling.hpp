// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/distance_halving.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter by exchange at distance 1, 2, 4, ...: both partners send the half that the other one keeps,
/// every second block of what they had, so that the longest messages go to the nearest ranks. The allgather
/// by distance halving with time running backwards.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two. Volume: every rank sends p - 1 of p blocks and
/// folds p - 1 if p is a power of two; else the busiest, rank 0, folds what it sends in the allgather.
/// Order: kept if p is a power of two; else it needs a commutative operation: of its own block a removed rank
/// folds the parts of all others at once. Restrictions: none.
/// Source: recursive halving, its exchanges in the other order: the first half of Rabenseifner's allreduce.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const distance_doubling&, place at) {
    const auto back = reversed_allgather(allgather_distance_halving(at), at);
    capabilities stated = back.claims();
    stated.order_preserving = stated.canonical_tree = floor_pow2(at.size) == at.size;
    return claiming(back, stated);
}

} // namespace tutti
