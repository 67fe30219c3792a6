// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/inorder_binary.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

/// Broadcast down the in-order binary tree, in S segments.
/// Rounds: floor(log2(max(root, p-1-root))) + S.
/// Volume: a rank sends the vector at most twice.
/// Any size, any root, any S >= 1.
/// Source: the in-order numbering of Sanders, Speck and Träff 2009 ("two-tree algorithms").
constexpr auto generate(collective_constant<collective::bcast>, const binary_tree& how, place at) {
    return bcast_over(inorder_binary_tree(at), how.segments);
}

} // namespace tutti
