// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/binary_position.hpp>

namespace tutti {

/// A binary tree whose in-order traversal is the order of ranks, whatever the root: the root's left subtree
/// holds the ranks below it, the right one those above, each cut in the middle again and again. Every
/// subtree is an interval around its own root, so reductions keep the order.
///
/// Example with 5 ranks, root 0: 0 is above 3, which is above 2 and 4; 2 is above 1. With root 2, rank 2
/// visits 4, 1 in round 0; 1 visits 0 and 4 visits 3 in round 1.
class inorder_binary_tree : public binary_position {
public:
    constexpr explicit inorder_binary_tree(place at) : at_(checked(at)) {
        interval inside{0, at.size}; // the ranks below `here`
        rank_type here = at.root;
        while (here != at.rank) {
            inside = at.rank < here ? interval{inside.begin, here} : interval{here + 1, inside.end};
            parent_ = here;
            here = inside.middle();
            ++depth_;
        }
        left_ = interval{inside.begin, here}.middle();
        right_ = interval{here + 1, inside.end}.middle();
    }

    /// A balanced tree of m ranks has floor(log2 m) + 1 levels.
    /// Example with 5 ranks: 3 rounds with root 0 or 4, 2 with any other.
    constexpr round_index rounds() const noexcept {
        const rank_type larger = std::max(at_.root, at_.size - 1 - at_.root);
        return larger == 0 ? 0 : floor_log2(larger) + 1;
    }

    constexpr std::int64_t most_children() const noexcept {
        return std::max(root_children(), inner_children());
    }

    /// Below the root a rank has its parent's message in the round before its children's.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        if (window == 1 || at_.size == 1) return most_children();
        return std::max(root_children(), 1 + inner_children());
    }

    constexpr bool keeps_order() const noexcept { return true; }

private:
    struct interval {
        rank_type begin;
        rank_type end;
        constexpr rank_type middle() const noexcept {
            return begin < end ? begin + (end - begin) / 2 : no_rank;
        }
    };

    constexpr std::int64_t root_children() const noexcept {
        return (at_.root > 0 ? 1 : 0) + (at_.root < at_.size - 1 ? 1 : 0);
    }

    /// Children of the root's busier child: a subtree of 1, 2, 3 or more ranks gives its root 0, 1, 2.
    constexpr std::int64_t inner_children() const noexcept {
        const rank_type larger = std::max(at_.root, at_.size - 1 - at_.root);
        return std::clamp(larger - 1, 0, 2);
    }

    place at_;
};

static_assert(tree<inorder_binary_tree>);

} // namespace tutti
