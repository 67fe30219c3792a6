// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// All-to-all in which every block goes straight to its receiver, in the order in which the kprefix allgather
/// brings it there: prefix_send inside partitions of k ranks, and then with those of the partition s ahead,
/// for s = 1, 2, ... In round j of iteration s, both counted from 0, a block goes s partitions ahead to the
/// lane of its owner xor j. (No rank passes on what others do: blocks of an alltoall are all different, and
/// hop by hop they would be p/2k times as many.) On a full tree whose arity is a power of two every round is
/// free of congestion under d-mod-k and s-mod-k, for any k; with nodes missing it is on_slots.
///
/// Rounds: k ceil(p/k) - 1, which is p - 1 if k divides p and that of prefix_send if p <= k; 1 for one rank,
/// which copies its block. Volume: every rank sends p - 1 of p blocks, the least possible.
/// Order: nothing is folded. Restrictions: as pairwise; k is a power of two.
/// Source: Kumar and Kalé 2004, section 4.4 and lemmas 5 and 6, for multiples of k.
/// Example with 5 ranks, k = 2: rank 0 meets 1; then 2, 3; then 4 and a hole.
using alltoall_kprefix = straight<collective::alltoall, lane_order>;

constexpr auto generate(collective_constant<collective::alltoall>, const kprefix& how, place at) {
    return alltoall_kprefix(at, how.k);
}

} // namespace tutti
