// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/tree.hpp>

namespace tutti {

namespace detail {

/// The rank in the middle of begin .. end - 1; no_rank if there is none.
/// Example: of 1, 2, 3, 4 it is 3.
constexpr rank_type middle_rank(rank_type begin, rank_type end) noexcept {
    return begin < end ? begin + (end - begin) / 2 : no_rank;
}

/// Both children of a rank, counted from the root, or no_rank; the right one is served first.
constexpr void set_children(tree_parts& here, rank_type left, rank_type right) noexcept {
    here.before = right - 1;
    here.falling = right == no_rank ? 0 : 1;
    here.rising_from = left;
    here.rising = left == no_rank ? 0 : 1;
}

} // namespace detail

/// A binary tree whose in-order traversal is the order of ranks, whatever the root: the root's left subtree
/// holds the ranks below it, the right one those above, each cut in the middle again and again. Every
/// subtree is an interval around its own root, so reductions keep the order. A balanced tree of m ranks has
/// floor(log2 m) + 1 levels.
///
/// Example with 5 ranks, root 0: 0 is above 3, which is above 2 and 4; 2 is above 1; 3 rounds. With root 2,
/// rank 2 visits 4, 1 in round 0; 1 visits 0 and 4 visits 3 in round 1.
constexpr tree inorder_binary_tree(place at) {
    checked(at);
    const auto relative = [at](rank_type rank) {
        return rank == no_rank ? no_rank : relative_rank(rank, at.root, at.size);
    };
    const rank_type larger = std::max(at.root, at.size - 1 - at.root); // subtree of the root
    tree_parts here{.at = at, .rounds = larger == 0 ? 0 : floor_log2(larger) + 1};
    rank_type begin = 0; // the ranks begin .. end - 1 are below `rank`
    rank_type end = at.size;
    rank_type rank = at.root;
    for (; rank != at.rank; ++here.parent_round) {
        here.parent = relative(rank);
        if (at.rank < rank)
            end = rank;
        else
            begin = rank + 1;
        rank = detail::middle_rank(begin, end);
    }
    detail::set_children(here, relative(detail::middle_rank(begin, rank)),
                         relative(detail::middle_rank(rank + 1, end)));
    // Children of the root's busier child: a subtree of 1, 2, 3 or more ranks gives its root 0, 1, 2. It has
    // its parent's message in the round before.
    const rank_type root_children = (at.root > 0 ? 1 : 0) + (at.root < at.size - 1 ? 1 : 0);
    const rank_type inner_children = std::clamp(larger - 1, 0, 2);
    here.most_children = std::max(root_children, inner_children);
    here.most_in_two_rounds = at.size == 1 ? 0 : std::max(root_children, 1 + inner_children);
    return tree(here);
}

} // namespace tutti
