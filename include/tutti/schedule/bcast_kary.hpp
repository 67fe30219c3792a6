// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/kary.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

/// Broadcast down the complete tree with k children per rank, in S segments.
/// Rounds: the levels of the tree, about log_k p, + S - 1.
/// Volume: the root sends the vector min(k, p - 1) times.
/// Any size, any root, any k >= 1 and S >= 1.
/// Source: the shape of elan_reduce's 4-ary tree in Moody, Fernandez, Petrini and Panda 2003, section 6.1.
constexpr auto generate(collective_constant<collective::bcast>, const kary& how, place at) {
    return bcast_over(kary_tree(at, how.arity), how.segments);
}

} // namespace tutti
