// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// All-to-all in which every block goes straight to its receiver, at a distance that grows by one per round:
/// every round is one cyclic shift, as in allgather direct.
///
/// Rounds: p - 1; 1 for one rank, which copies its block. Volume: every rank sends p - 1 of p blocks, the
/// least possible. Order: nothing is folded. Restrictions: blocks of one length, or one for each pair of
/// ranks (alltoallv). Source: the shift form of pairwise exchange, see Thakur and Gropp 2003.
/// Example with 5 ranks: in round 1 rank 4 sends input block 1 to rank 1 and receives block 2 from rank 2.
using alltoall_pairwise = straight<collective::alltoall, cyclic_order>;

constexpr auto generate(collective_constant<collective::alltoall>, const pairwise&, place at) {
    return alltoall_pairwise(at);
}

} // namespace tutti
