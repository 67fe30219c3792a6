// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/inorder_binary.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_tree.hpp>

namespace tutti {

/// Reduction up the in-order binary tree, in S segments: the tree for operations that do not commute.
/// Rounds: floor(log2(max(root, p-1-root))) + S.
/// Volume: a rank folds at most two vectors.
/// Order: kept for any root.
/// Any size, any S >= 1.
/// Source: the in-order numbering of Sanders, Speck and Träff 2009 ("two-tree algorithms").
constexpr auto generate(collective_constant<collective::reduce>, const binary_tree& how, place at) {
    return reduce_over(inorder_binary_tree(at), how.segments, at.rank);
}

} // namespace tutti
