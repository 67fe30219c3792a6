// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/bidirectional_ring.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter both ways round the ring at once: the partial results of a block start at the two ranks
/// opposite its owner and reach it from both sides. The allgather with time running backwards.
///
/// Rounds: floor(p/2), with two messages each way. Volume: every rank sends p - 1 of p blocks, half of them
/// to either neighbour, and folds p - 1. Order: needs a commutative operation. Restrictions: none.
/// Source: see the allgather. Example with 5 ranks: block 2 is folded from 4 to 3 and from 0 to 1, then at 2.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const bidirectional_ring&,
                        place at) {
    return reversed_allgather(allgather_bidirectional_ring(at), at);
}

} // namespace tutti
