// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/inorder_binary.hpp>

namespace tutti {

/// Which of two trees; see two_tree_half.
enum class tree_half : bool { first, second };

namespace detail {

/// Clears the lowest set bit and sets the next; beyond the last number the tree's missing corner is skipped.
/// Example with last number 5: the parents of 1, 2, 3, 4, 5 are 2, 4, 2, 0 (the root), 4.
constexpr std::int64_t two_tree_parent(std::int64_t i, std::int64_t last) noexcept {
    const std::int64_t bit = i & -i;
    const std::int64_t above = (i ^ bit) | (bit << 1);
    return above <= last ? above : i ^ bit;
}

} // namespace detail

/// One of a pair of binary trees in which no rank but the root has children twice, so that each may carry
/// half a vector at full speed (Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth
/// broadcast, reduction and scan", section 2). Ranks are counted cyclically from the root; 1, ..., p-1 form,
/// below the root, the in-order tree whose leaves are the odd numbers and in which a number's lowest set bit
/// says how high it stands. The second tree is the same shape slid by one, its first leaf dropped: its
/// leaves are the even ranks.
///
/// Example with 5 ranks, root 0:   first  0 - 4 - 2 - {1, 3}      second  0 - 3 - {1 - 2, 4}.
constexpr tree two_tree_half(place at, tree_half which) {
    const int slide = which == tree_half::second ? 1 : 0;
    const rank_type below = checked(at).size - 1;
    const std::int64_t last = std::int64_t{below} + slide; // largest number in the tree
    const auto relative = [slide](std::int64_t index) {
        return index == 0 ? 0 : static_cast<rank_type>(index - slide);
    };
    // Rounds: from the root down the left side, where the tree is tallest. With two ranks the second tree's
    // left side is the leaf that was dropped. A rank with both children appears as soon as the first tree has
    // 3 ranks below the root, the second 4. All ranks but the root's are one interval only if the root is the
    // first or the last.
    const rank_type most = std::clamp(below - 1 - slide, std::min(below, 1), 2);
    tree_parts here{.at = at,
                    .rounds = at.size <= 2 ? below : floor_log2(last) + 1,
                    .most_children = most,
                    .most_in_two_rounds = most + (at.size > 2 ? 1 : 0),
                    .keeps_order = at.root == 0 || at.root == below};
    rank_type left = no_rank;
    rank_type right = no_rank;
    if (at.rank == at.root) {
        if (at.size > 1) right = relative(floor_pow2(last)); // the root's only child
    } else {
        const std::int64_t index = std::int64_t{relative_rank(at.rank, at.root, at.size)} + slide;
        for (std::int64_t i = index; i != 0; i = detail::two_tree_parent(i, last)) ++here.parent_round;
        here.parent = relative(detail::two_tree_parent(index, last));
        const std::int64_t bit = index & -index;
        std::int64_t step = bit / 2;
        while (index + step > last) step /= 2;
        if (step != 0) right = relative(index + step);
        if (bit > 1 && index - bit / 2 > slide) left = relative(index - bit / 2);
    }
    detail::set_children(here, left, right);
    return tree(here);
}

} // namespace tutti
