// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/gather/serial.hpp>
#include <tutti/schedule/scatter/reversed_gather.hpp>

namespace tutti {

/// Scatter in one round: the serial gather backwards, the root sends every rank its block.
///
/// Rounds: 1 (0 for one rank). Volume: the root sends p - 1 of p blocks, each as a message.
/// Order: nothing is folded. Restrictions: none.
/// Example with 5 ranks: root 3 sends to 2, 1, 0, 4.
/// Source: as gather/serial.hpp, mirrored.
constexpr auto generate(collective_constant<collective::scatter>, const serial&, place at) {
    return reversed_gather(gather_serial(at), at);
}

} // namespace tutti
