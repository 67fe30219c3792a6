// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// Allgather in which every block goes straight from its owner to everybody else, at a distance that grows by
/// one per round: every round is one cyclic shift.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks, always its own.
/// Cost: (p - 1) alpha + (p - 1) m (beta + C) + L (equation 2).
/// Order: nothing is folded. Restrictions: none.
/// Source: Kumar and Kalé 2004, section 3.
/// Example with 5 ranks: in round 1 rank 4 sends its block to rank 1 and receives block 2 from rank 2.
using allgather_direct = straight<collective::allgather, cyclic_order>;

constexpr auto generate(collective_constant<collective::allgather>, const direct&, place at) {
    return allgather_direct(at);
}

} // namespace tutti
