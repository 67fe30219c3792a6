// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/flat.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

/// Broadcast by p - 1 messages from the root, all in one round.
/// Rounds: 1.
/// Volume: the root sends the vector p - 1 times.
/// Any size, any root.
/// Source: the mirror image of the serial reduction of Moody, Fernandez, Petrini and Panda 2003, section
/// 4.1.
constexpr auto generate(collective_constant<collective::bcast>, const serial&, place at) {
    return bcast_over(flat_tree(at), 1);
}

} // namespace tutti
