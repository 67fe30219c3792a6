// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// All-to-all in which every block goes straight to its receiver: in round j, counted from 1, rank r and rank
/// r xor j exchange theirs. If p is no power of two, a rank is idle when there is no such rank. On the first
/// p nodes of a full tree whose arity is a power of two every round is free of congestion.
///
/// Rounds: P - 1, where P is the least power of two with p <= P; 1 for one rank, which copies its block.
/// Volume: every rank sends p - 1 of p blocks, the least possible.
/// Order: nothing is folded. Restrictions: as pairwise.
/// Source: Heller 1994; Kumar and Kalé 2004, lemma 5, both for powers of two.
/// Example with 5 ranks, 7 rounds: rank 4's partners are 5, 6, 7, which do not exist, then 0, 1, 2, 3; in
/// round 4 it sends input block 0 to rank 0 and receives block 0 from there.
using alltoall_prefix_send = straight<collective::alltoall, prefix_order>;

constexpr auto generate(collective_constant<collective::alltoall>, const prefix_send&, place at) {
    return alltoall_prefix_send(at);
}

} // namespace tutti
