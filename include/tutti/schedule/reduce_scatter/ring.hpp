// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter round a ring: what comes from the left neighbour is folded and sent on to the right one, so
/// that the partial result of a block starts behind its owner and reaches it last. It is the allgather the
/// other way round the ring with time running backwards.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks and folds p - 1.
/// Order: needs a commutative operation: a block is folded from the rank behind its owner on, cyclically.
/// Restrictions: none. Source: Patarasuk and Yuan 2009 (the first half of their allreduce).
/// Example with 5 ranks: the partial result of block 2 starts at rank 3 and passes 4, 0 and 1.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const ring&, place at) {
    return reversed_allgather(allgather_ring(at, direction::down), at);
}

} // namespace tutti
