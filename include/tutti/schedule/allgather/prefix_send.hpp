// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// Allgather in which every block goes straight from its owner to everybody else: in round j, counted from 1,
/// rank r and rank r xor j exchange theirs. If p is no power of two, a rank is idle when there is no such
/// rank.
///
/// Rounds: P - 1, where P is the least power of two with p <= P. Volume: every rank sends p - 1 of p blocks,
/// always its own.
/// Cost: (p - 1)(alpha + m beta) + m delta + L for p = P (equation 8); else alpha counts P - 1 times for who
/// waits for the slowest of each round.
/// Order: nothing is folded. Restrictions: none.
/// Source: Kumar and Kalé 2004, section 4.3, for powers of two.
/// Example with 5 ranks, 7 rounds: rank 4's partners are 5, 6, 7, which do not exist, then 0, 1, 2, 3.
using allgather_prefix_send = straight<collective::allgather, prefix_order>;

constexpr auto generate(collective_constant<collective::allgather>, const prefix_send&, place at) {
    return allgather_prefix_send(at);
}

} // namespace tutti
