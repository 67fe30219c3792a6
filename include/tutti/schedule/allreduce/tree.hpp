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

/// The allreduces up a tree to its root and down the same tree, S segments each way.
/// Rounds: 2 (tree.rounds() + S - 1).
/// Volume: a rank sends the vector once up and once per child down, that is once per tree edge it has; it
/// folds one per child.
/// Order: as the tree says. All ranks get the root's bits.
/// Example with 5 ranks, f-nomial with radix 2: 1 -> 0 and 3 -> 2; 2 -> 0; 4 -> 0; then the same way back.
namespace tutti {

namespace detail {
/// An allreduce has no root of its own: `at` with the root that its tree is to have.
constexpr place rooted(place at, rank_type root) noexcept { return {at.rank, at.size, root}; }
} // namespace detail

/// Everybody to rank 0 and back.
/// Rounds: 2.
/// Volume: rank 0 sends and folds p - 1 vectors.
/// Order: kept.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 4.1, and a broadcast after it (section 6.1).
constexpr tree_flow generate(collective_constant<collective::allreduce>, const serial&, place at) {
    return {tree_way::up_and_down, 1, flat_tree(detail::rooted(at, 0))};
}

/// Up and down the complete k-ary tree of rank 0.
/// Rounds: about 2 (log_k p + S - 1).
/// Order: kept only by a line (k = 1) and under one level (p - 1 <= k).
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 6.1 (elan_reduce).
constexpr tree_flow generate(collective_constant<collective::allreduce>, const kary& how, place at) {
    return {tree_way::up_and_down, how.segments, kary_tree(detail::rooted(at, 0), how.arity)};
}

/// Up and down the f-nomial tree of rank 0.
/// Rounds: 2 (ceil(log_f p) + S - 1).
/// Order: kept.
/// Source: Moody, Fernandez, Petrini and Panda 2003, sections 5.2 and 6.1.
constexpr tree_flow generate(collective_constant<collective::allreduce>, const fnomial& how, place at) {
    return {tree_way::up_and_down, how.segments, fnomial_tree(detail::rooted(at, 0), how.radix)};
}

/// Up and down the in-order binary tree of the middle rank: no other root has a lower one.
/// Rounds: 2 (floor(log2 p) + S - 1).
/// Order: kept.
/// Example with 5 ranks: 2 is above 1 and 4, which are above 0 and 3.
/// Source: the in-order numbering of Sanders, Speck and Träff 2009 ("two-tree algorithms").
constexpr tree_flow generate(collective_constant<collective::allreduce>, const binary_tree& how, place at) {
    return {tree_way::up_and_down, how.segments, inorder_binary_tree(detail::rooted(at, at.size / 2))};
}

/// Up and down the two trees of rank 0, half the vector in each.
/// Rounds: 2 (floor(log2 p) + S) (two ranks: 2S).
/// Volume in blocks of 1/(2S) vector: a rank sends min(p, 4) S, one per edge it has in either tree, and
/// folds 2S.
/// Order: kept.
/// Source: Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan".
constexpr tree_flow generate(collective_constant<collective::allreduce>, const two_tree& how, place at) {
    at = detail::rooted(at, 0);
    return {tree_way::up_and_down, how.segments, two_tree_half(at, tree_half::first),
            two_tree_half(at, tree_half::second)};
}

} // namespace tutti
