// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/binary_position.hpp>

namespace tutti {

/// Which of two trees; see two_tree_half.
enum class tree_half : bool { first, second };

/// One of a pair of binary trees in which no rank but the root has children twice, so that each may carry
/// half a vector at full speed (Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth
/// broadcast, reduction and scan", section 2). Ranks are counted cyclically from the root; 1, ..., p-1 form,
/// below the root, the in-order tree whose leaves are the odd numbers and in which a number's lowest set bit
/// says how high it stands. The second tree is the same shape slid by one, its first leaf dropped: its
/// leaves are the even ranks.
///
/// Example with 5 ranks, root 0:   first  0 - 4 - 2 - {1, 3}      second  0 - 3 - {1 - 2, 4}.
class two_tree_half : public binary_position {
public:
    constexpr two_tree_half(place at, tree_half which)
        : at_(checked(at)), slide_(which == tree_half::second ? 1 : 0),
          last_(std::int64_t{at.size} - 1 + slide_) {
        const rank_type relative = relative_rank(at.rank, at.root, at.size);
        if (relative == 0) {
            if (at.size > 1) right_ = rank_at(floor_pow2(last_)); // the root's only child
            return;
        }
        const std::int64_t index = std::int64_t{relative} + slide_;
        for (std::int64_t i = index; i != 0; i = parent_index(i)) ++depth_;
        parent_ = rank_at(parent_index(index));
        const std::int64_t bit = index & -index;
        std::int64_t right = bit / 2;
        while (index + right > last_) right /= 2;
        if (right != 0) right_ = rank_at(index + right);
        if (bit > 1 && index - bit / 2 > slide_) left_ = rank_at(index - bit / 2);
    }

    /// From the root down the left side of the tree, where it is tallest. With two ranks the second tree's
    /// left side is the leaf that was dropped.
    constexpr round_index rounds() const noexcept {
        if (at_.size <= 2) return at_.size - 1;
        return floor_log2(last_) + 1;
    }

    /// A rank with both children appears as soon as the first tree has 3 ranks below the root, the second 4.
    constexpr std::int64_t most_children() const noexcept {
        const std::int64_t below = at_.size - 1;
        return std::clamp(below - 1 - slide_, std::min(below, std::int64_t{1}), std::int64_t{2});
    }

    /// Below the root a rank has its parent's message in the round before its children's.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        return most_children() + (window > 1 && at_.size > 2 ? 1 : 0);
    }

    /// All ranks but the root's are one interval only if the root is the first or the last.
    constexpr bool keeps_order() const noexcept { return at_.root == 0 || at_.root == at_.size - 1; }

private:
    /// Clears the lowest set bit and sets the next; beyond the last number the tree's missing corner is
    /// skipped.
    /// Example with last number 5: the parents of 1, 2, 3, 4, 5 are 2, 4, 2, 0 (the root), 4.
    constexpr std::int64_t parent_index(std::int64_t i) const noexcept {
        const std::int64_t bit = i & -i;
        const std::int64_t above = (i ^ bit) | (bit << 1);
        return above <= last_ ? above : i ^ bit;
    }

    constexpr rank_type rank_at(std::int64_t index) const noexcept {
        return index == 0 ? at_.root
                          : absolute_rank(static_cast<rank_type>(index - slide_), at_.root, at_.size);
    }

    place at_;
    std::int64_t slide_;
    std::int64_t last_; // largest number in the tree
};

static_assert(tree<two_tree_half>);

} // namespace tutti
