// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/rank.hpp>
#include <tutti/pattern/inorder_binary.hpp>

namespace tutti {

/// A rank of the in-order binary tree of the middle rank, with the interval of ranks that its subtree is:
/// what scans need to know. As inorder_binary_tree for root size / 2.
///
/// Example with 5 ranks: 2 is above 1 and 4, 1 is above 0, 4 is above 3; the subtree of 4 is 3 .. 4.
class inorder_node {
public:
    constexpr static inorder_node root(rank_type size) noexcept { return {size, 0, size, no_rank, 0}; }

    /// Down from the root.  Example with 5 ranks: to 3 by 2 and 4.
    constexpr static inorder_node of(const place& at) noexcept {
        inorder_node n = root(at.size);
        while (n.rank() != at.rank) n = at.rank < n.rank() ? n.left() : n.right();
        return n;
    }

    constexpr rank_type rank() const noexcept { return detail::middle_rank(begin_, end_); }
    constexpr rank_type parent() const noexcept { return parent_; }
    /// Levels below the root.
    constexpr rank_type depth() const noexcept { return depth_; }

    constexpr bool has_left() const noexcept { return begin_ < rank(); }
    constexpr bool has_right() const noexcept { return rank() + 1 < end_; }
    constexpr inorder_node left() const noexcept { return {size_, begin_, rank(), rank(), depth_ + 1}; }
    constexpr inorder_node right() const noexcept { return {size_, rank() + 1, end_, rank(), depth_ + 1}; }

    /// Whether there are ranks before those of the subtree, and behind them.
    constexpr bool any_before() const noexcept { return begin_ > 0; }
    constexpr bool any_behind() const noexcept { return end_ < size_; }

private:
    constexpr inorder_node(rank_type size, rank_type begin, rank_type end, rank_type parent,
                           rank_type depth) noexcept
        : size_(size), begin_(begin), end_(end), parent_(parent), depth_(depth) {}

    rank_type size_;
    rank_type begin_; // of the subtree
    rank_type end_;   // behind its last rank
    rank_type parent_;
    rank_type depth_;
};

} // namespace tutti
