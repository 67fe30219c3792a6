// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/sparbit.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter over the distances 1, 2, 4, ..., 2^(q-1): first half the vector to the rank before, last
/// single blocks to the farthest. The allgather with time running backwards.
///
/// Rounds: q = ceil(lg p), more if messages are bounded: see the allgather. Volume: every rank sends p - 1 of
/// p blocks and folds p - 1. Without a bound both are the least possible, for every p. Where circulant sends
/// the longest messages over half the ranks, these go to the nearest; their blocks are not consecutive.
/// Order: needs a commutative operation. Restrictions: none. Source: Jeaugey 2025 (arXiv 2506.20252), PAT,
/// Bruck's rounds with the dimensions in the other order; its allgather without a bound is sparbit's. Example
/// with 5 ranks: rank 3 sends 2 and 0 to rank 2, then 1 to rank 1, then 4 to rank 4.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const sparbit& how, place at) {
    return reversed_allgather(allgather_sparbit(at, how), at);
}

} // namespace tutti
