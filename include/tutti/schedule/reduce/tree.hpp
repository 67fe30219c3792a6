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

/// The reductions up a tree. Every rank but the root sends the vector once; a rank folds one per child.
namespace tutti {

/// The root receives and folds everybody's vector in one round.
/// Rounds: 1.
/// Volume: the root folds p - 1 vectors, T = L + (p-1)(r+c).
/// Order: kept for any root.
/// Any size.
/// Source: Moody, Fernandez, Petrini and Panda 2003, sections 4.1 and 5.1 ("serial reduction").
constexpr tree_flow generate(collective_constant<collective::reduce>, const serial&, place at) {
    return {tree_way::up, 1, flat_tree(at)};
}

/// Along a line of ranks, the vector in S segments: long vectors travel at full bandwidth.
/// Rounds: p - 2 + S.
/// Volume: a rank sends and folds the vector once.
/// Order: kept if the root is 0 or p - 1, the ends of the line otherwise meet in its middle.
/// Any size, any root, any S >= 1.
/// Source: classic; algorithms for long vectors are measured against it.
constexpr tree_flow generate(collective_constant<collective::reduce>, const chain& how, place at) {
    return {tree_way::up, how.segments, chain_tree(at)};
}

/// Up the complete tree with k children per rank, in S segments.
/// Rounds: the levels of the tree, about log_k p, + S - 1.
/// Volume: the root folds min(k, p - 1) vectors.
/// Order: not kept, except in a line (k = 1, root 0 or p-1) and under one level (p - 1 <= k, root 0 or 1).
/// Any size, any root, any k >= 1 and S >= 1.
/// Source: the shape of elan_reduce's 4-ary tree in Moody, Fernandez, Petrini and Panda 2003, section 6.1.
constexpr tree_flow generate(collective_constant<collective::reduce>, const kary& how, place at) {
    return {tree_way::up, how.segments, kary_tree(at, how.arity)};
}

/// Up the f-nomial tree, in S segments; whole and with radix 2 the binomial reduction.
/// Rounds: ceil(log_f p) + S - 1.
/// Volume: the root folds (f-1) floor(log_f p) + ceil(p / f^floor(log_f p)) - 1 vectors.
/// Order: kept for root 0, and for the one root whose last child is rank 0.
/// Any size, any root, any f >= 2 and S >= 1.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 5.2 and appendix A.
constexpr tree_flow generate(collective_constant<collective::reduce>, const fnomial& how, place at) {
    return {tree_way::up, how.segments, fnomial_tree(at, how.radix)};
}

/// Up the in-order binary tree, in S segments: the tree for operations that do not commute.
/// Rounds: floor(log2(max(root, p-1-root))) + S.
/// Volume: a rank folds at most two vectors.
/// Order: kept for any root.
/// Any size, any S >= 1.
/// Source: the in-order numbering of Sanders, Speck and Träff 2009 ("two-tree algorithms").
constexpr tree_flow generate(collective_constant<collective::reduce>, const binary_tree& how, place at) {
    return {tree_way::up, how.segments, inorder_binary_tree(at)};
}

/// Two halves of the vector, each in S segments, up two binary trees: the two-tree broadcast with time
/// running backwards.
/// Rounds: floor(log2 p) + S (two ranks: S).
/// Volume in blocks of 1/(2S) vector: a rank sends 2S and folds 2S.
/// Order: kept if the root is 0 or p - 1, both trees being in-order over the other ranks.
/// Any size, any root, any S >= 1.
/// Example with 5 ranks, root 0: the first half comes {1, 3} - 2 - 4 - 0, the second {2 - 1, 4} - 3 - 0.
/// Source: Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan".
constexpr tree_flow generate(collective_constant<collective::reduce>, const two_tree& how, place at) {
    return {tree_way::up, how.segments, two_tree_half(at, tree_half::first),
            two_tree_half(at, tree_half::second)};
}

} // namespace tutti
