// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/gather/serial.hpp>

namespace tutti {

/// Scatter in one round: the serial gather backwards, the root sends every rank its block.
///
/// Rounds: 1 (0 for one rank). Volume: the root sends p - 1 of p blocks, each as a message.
/// Order: nothing is folded. Restrictions: none.
/// Example with 5 ranks: root 3 sends to 2, 1, 0, 4.
/// Source: as gather/serial.hpp, mirrored.
constexpr auto generate(collective_constant<collective::scatter>, const serial&, place at) {
    const gather_serial forward(at);
    return claiming(reversed(forward, reversal::copies, at.rank), moving_only({.max_outstanding = at.size - 1,
                                                                               .rounds = forward.rounds(),
                                                                               .sent_blocks = at.size - 1}));
}

} // namespace tutti
