// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/pattern/inorder_binary.hpp>

namespace tutti {

/// Which rank of an interval is above the others.
enum class inorder_shape : std::uint8_t {
    balanced, ///< the one in the middle: inorder_binary_tree for root size / 2
    first,    ///< the tree below the root of two_tree_half(..., tree_half::first): its leaves are the even
              ///< ranks
    second,   ///< likewise of the second half: its leaves are the odd ranks, of two or more
};

namespace detail {

/// The rank of begin .. end - 1, which are some, that is above the others.
/// Of two trees, numbers are ranks plus one, in the second tree plus two, and the number above the others is
/// the one with the most zeros at its end: the last one without the bits below the highest in which it
/// differs from the number before the first.
/// Example with 5 ranks: of 0 .. 4 it is 2, in the first of two trees 3 (number 4 of 1 .. 5), in the second 2
/// (number 4 of 2 .. 6); of 0 .. 1 it is 1, 1 and 0.
constexpr rank_type upper_rank(inorder_shape shape, rank_type begin, rank_type end) noexcept {
    if (shape == inorder_shape::balanced) return middle_rank(begin, end);
    const std::uint32_t slide = shape == inorder_shape::second ? 1 : 0;
    const std::uint32_t before = static_cast<std::uint32_t>(begin) + slide;
    const std::uint32_t last = static_cast<std::uint32_t>(end) + slide;
    const int differing = floor_log2(std::int64_t{before ^ last});
    return static_cast<rank_type>((last >> differing << differing) - 1 - slide);
}

} // namespace detail

/// A rank of an in-order binary tree of all ranks, with the interval of ranks that its subtree is: what scans
/// need to know.
///
/// Example with 5 ranks: 2 is above 1 and 4, 1 is above 0, 4 is above 3; the subtree of 4 is 3 .. 4. The
/// first of two trees: 3 is above 1 and 4, 1 is above 0 and 2. The second: 2 is above 0 and 4, 0 is above 1,
/// 4 is above 3.
class inorder_node {
public:
    /// The rank above all others.  Example with 5 ranks: 2; of two trees 3 in the first, 2 in the second.
    constexpr static inorder_node root(rank_type size,
                                       inorder_shape shape = inorder_shape::balanced) noexcept {
        return {size, shape, 0, size, no_rank, 0};
    }

    /// Down from the root.  Example with 5 ranks: to 3 by 2 and 4.
    constexpr static inorder_node of(const place& at,
                                     inorder_shape shape = inorder_shape::balanced) noexcept {
        inorder_node n = root(at.size, shape);
        while (n.rank() != at.rank) n = at.rank < n.rank() ? n.left() : n.right();
        return n;
    }

    /// The root of its tree.
    constexpr inorder_node top() const noexcept { return root(size_, shape_); }

    constexpr rank_type rank() const noexcept { return rank_; }
    /// The rank that it is left or right of; no_rank at the root.
    constexpr rank_type parent() const noexcept { return parent_; }
    /// Levels below the root.
    constexpr rank_type depth() const noexcept { return depth_; }
    /// The depth of the deepest rank: of the second of two trees it is more if size + 1 is a power of two.
    constexpr rank_type deepest() const noexcept {
        const bool one_more = shape_ == inorder_shape::second && size_ > 1;
        return floor_log2(std::int64_t{size_} + (one_more ? 1 : 0));
    }

    /// Whether lower ranks are below it.
    constexpr bool has_left() const noexcept { return begin_ < rank_; }
    /// Whether higher ranks are below it.
    constexpr bool has_right() const noexcept { return rank_ + 1 < end_; }
    /// The one above those lower ranks; only if has_left().
    constexpr inorder_node left() const noexcept { return {size_, shape_, begin_, rank_, rank_, depth_ + 1}; }
    /// The one above those higher ranks; only if has_right().
    constexpr inorder_node right() const noexcept {
        return {size_, shape_, rank_ + 1, end_, rank_, depth_ + 1};
    }

    /// Whether there are ranks before those of the subtree.
    constexpr bool any_before() const noexcept { return begin_ > 0; }
    /// Whether there are ranks behind those of the subtree.
    constexpr bool any_behind() const noexcept { return end_ < size_; }

    /// Calls f(node) for this one and those that are at most `levels` levels below it.
    /// Example with 5 ranks: one level from 4 on are 4 and 3.
    template <class F>
    constexpr void for_each_upper(int levels, const F& f) const {
        f(*this);
        if (levels == 0) return;
        if (has_left()) left().for_each_upper(levels - 1, f);
        if (has_right()) right().for_each_upper(levels - 1, f);
    }

private:
    constexpr inorder_node(rank_type size, inorder_shape shape, rank_type begin, rank_type end,
                           rank_type parent, rank_type depth) noexcept
        : size_(size), begin_(begin), end_(end), rank_(detail::upper_rank(shape, begin, end)),
          parent_(parent), depth_(depth), shape_(shape) {}

    rank_type size_;
    rank_type begin_; // of the subtree
    rank_type end_;   // behind its last rank
    rank_type rank_;
    rank_type parent_;
    rank_type depth_;
    inorder_shape shape_;
};

} // namespace tutti
