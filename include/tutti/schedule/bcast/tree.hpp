// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/flat.hpp>
#include <tutti/pattern/fnomial.hpp>
#include <tutti/pattern/inorder_binary.hpp>
#include <tutti/pattern/kary.hpp>
#include <tutti/pattern/two_tree.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/tree_flow.hpp>

/// The broadcasts down a tree.
namespace tutti {

/// By p - 1 messages from the root, all in one round.
/// Rounds: 1.
/// Volume: the root sends the vector p - 1 times.
/// Any size, any root.
/// Source: the mirror image of the serial reduction of Moody, Fernandez, Petrini and Panda 2003, section
/// 4.1.
constexpr tree_flow generate(collective_constant<collective::bcast>, const serial&, place at) {
    return {tree_way::down, 1, flat_tree(at)};
}

/// Along a line of ranks, the vector in S segments: long vectors travel at full bandwidth.
/// Rounds: p - 2 + S.
/// Volume: a rank sends the vector once.
/// Any size, any root, any S >= 1.
/// Source: classic; algorithms for long vectors are measured against it.
constexpr tree_flow generate(collective_constant<collective::bcast>, const chain& how, place at) {
    return {tree_way::down, how.segments, chain_tree(at)};
}

/// Down the complete tree with k children per rank, in S segments.
/// Rounds: the levels of the tree, about log_k p, + S - 1.
/// Volume: the root sends the vector min(k, p - 1) times.
/// Any size, any root, any k >= 1 and S >= 1.
/// Source: the shape of elan_reduce's 4-ary tree in Moody, Fernandez, Petrini and Panda 2003, section 6.1.
constexpr tree_flow generate(collective_constant<collective::bcast>, const kary& how, place at) {
    return {tree_way::down, how.segments, kary_tree(at, how.arity)};
}

/// Down the f-nomial tree, in S segments; whole and with radix 2 the binomial broadcast.
/// Rounds: ceil(log_f p) + S - 1.
/// Volume: the root sends the vector (f-1) floor(log_f p) + ceil(p / f^floor(log_f p)) - 1 times.
/// Any size, any root, any f >= 2 and S >= 1.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 5.2 ("a tree as it expands") and appendix A.
constexpr tree_flow generate(collective_constant<collective::bcast>, const fnomial& how, place at) {
    return {tree_way::down, how.segments, fnomial_tree(at, how.radix)};
}

/// Down the in-order binary tree, in S segments.
/// Rounds: floor(log2(max(root, p-1-root))) + S.
/// Volume: a rank sends the vector at most twice.
/// Any size, any root, any S >= 1.
/// Source: the in-order numbering of Sanders, Speck and Träff 2009 ("two-tree algorithms").
constexpr tree_flow generate(collective_constant<collective::bcast>, const binary_tree& how, place at) {
    return {tree_way::down, how.segments, inorder_binary_tree(at)};
}

/// Two halves of the vector, each in S segments, down two binary trees; no rank but the root has children in
/// both, so everybody's links are busy both ways.
/// Rounds: floor(log2 p) + S (two ranks: S).
/// Volume in blocks of 1/(2S) vector: a rank sends at most 2S, one vector.
/// Any size, any root, any S >= 1.
/// Example with 5 ranks, root 0: the first half goes 0 - 4 - 2 - {1, 3}, the second 0 - 3 - {1 - 2, 4}.
/// Source: Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan".
constexpr tree_flow generate(collective_constant<collective::bcast>, const two_tree& how, place at) {
    return {tree_way::down, how.segments, two_tree_half(at, tree_half::first),
            two_tree_half(at, tree_half::second)};
}

} // namespace tutti
