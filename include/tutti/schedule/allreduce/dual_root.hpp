// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/inorder_binary.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allreduce in S segments up and down two in-order binary trees at once, each of half the ranks, whose roots
/// exchange what they have: segments go up while results of earlier ones come down, one each way over the
/// same edge in the same round. So it is no composition of both ways, and its claims are computed from none.
///
/// Every third round a rank exchanges with its right child, in the next one with its left child, and in the
/// third one with its parent, a root with the other root. So a rank's first segment goes up a round before
/// its parent's if it is a left child, two rounds if it is a right one; results come down one round after
/// those of its parent to a right child, two to a left one. At most one message each way in any round.
///
/// Rounds: H + 2 floor(lg m) + 3 S - 2. Here m = ceil(p/2) ranks are in the first tree, and with e = floor(lg
/// (m + 1)) its root has heard of all of them after H = 2 (e - 1) rounds, one more if m + 1 >= 3/2 2^e. That
/// is about 4 lg p + 3 S - 8.
/// Volume in segments: the busiest rank, a root, sends and folds S for each of its children and S for the
/// other root, 3 S if p > 4; others fold 2 S.
/// Order: kept; all ranks get the roots' bits, which are the same. Any size, any S >= 1.
///
/// Source: Träff 2021 (arXiv 2109.12626, "A doubly-pipelined, dual-root reduction-to-all algorithm"); with
/// in-order trees in place of its post-order ones, which keep the order as well.
class allreduce_dual_root {
public:
    constexpr allreduce_dual_root(place at, block_index segments)
        : size_(checked(at).size), segments_(segments) {
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
        const rank_type half = ceil_div(size_, 2);
        const bool lower = at.rank < half;
        rank_type begin = lower ? 0 : half; // the ranks begin .. end - 1 are below `node`
        rank_type end = lower ? half : size_;
        rank_type node = detail::middle_rank(begin, end);
        parent_ = lower ? detail::middle_rank(half, size_) : detail::middle_rank(0, half);
        rank_ = at.rank;
        up_ = lead();
        while (node != at.rank) {
            parent_ = node;
            up_ -= at.rank < node ? left_child : right_child;
            (at.rank < node ? end : begin) = at.rank < node ? node : node + 1;
            node = detail::middle_rank(begin, end);
            ++depth_;
        }
        left_ = detail::middle_rank(begin, node);
        right_ = detail::middle_rank(node + 1, end);
    }

    constexpr round_index rounds() const noexcept {
        return size_ == 1 ? 0 : lead() + 2 * floor_log2(ceil_div(size_, 2)) + period * segments_ - 2;
    }
    constexpr block_index blocks() const noexcept { return segments_; }

    constexpr capabilities claims() const noexcept {
        const block_index moved = std::min(ceil_div(size_, 2), 3) * segments_;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .max_outstanding = size_ == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = size_ == 1 ? 0 : moved,
                .reduced_blocks = size_ == 1 ? 0 : moved,
                .uniform_rounds = size_ <= 2 ? rounds() : 0};
    }

    /// From the right child's first segment to the last result for the left one.
    constexpr round_range active() const noexcept {
        if (size_ == 1) return {};
        const round_index first = up_ - (right_ != no_rank ? right_child : left_ != no_rank ? left_child : 0);
        const round_index after = left_ != no_rank    ? period - left_child
                                  : right_ != no_rank ? period - right_child
                                                      : 0;
        return {first, up_ + period * (depth_ + segments_ - 1) + after + 1};
    }

    /// Example with 5 ranks, 1 segment: roots 1 and 4 over 0, 2 and 3. 2 sends to 1; 0 to 1 and 3 to 4; 1 and
    /// 4 exchange; 1 sends to 2; 1 to 0 and 4 to 3.
    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const round_index since = i - up_; // of its own first segment, which may be still to come
        switch (mod<round_index>(since, period)) {
        case 0: return with_parent(since / period, sink);
        case period - right_child: return with_child(right_, (since + right_child) / period, sink);
        default: return with_child(left_, (since + left_child) / period, sink);
        }
    }

private:
    static constexpr round_index period = 3;
    static constexpr round_index left_child = 1;  // its exchange is so many rounds before the parent's own
    static constexpr round_index right_child = 2; // likewise

    /// The round of the roots' first exchange: a tree of 1, 2, 3, 5, 7, 11, 15, 23, ... ranks is the first
    /// that takes 0, 1, 2, 3, ... rounds to its root. The right half of a tree has one rank less if they
    /// differ.
    constexpr round_index lead() const noexcept {
        const std::int64_t more = ceil_div(size_, 2) + 1;
        const int e = floor_log2(more);
        return 2 * e - 2 + (2 * more >= std::int64_t{3} << e ? 1 : 0);
    }

    constexpr bool is_segment(round_index s) const noexcept { return 0 <= s && s < segments_; }
    static constexpr block_set block(block_index s) noexcept { return {.first = s, .count = 1}; }

    /// Results come down `depth_` turns after what went up for them: none at a root, which folds them.
    template <class Sink>
    TUTTI_INLINE constexpr void with_parent(round_index turn, Sink& sink) const {
        if (is_segment(turn)) sink(step::send(parent_, block(turn)));
        if (!is_segment(turn - depth_)) return;
        sink(depth_ == 0 ? step::recv_reduce(parent_, block(turn), side_of(parent_, rank_))
                         : step::recv(parent_, block(turn - depth_)));
    }

    template <class Sink>
    TUTTI_INLINE constexpr void with_child(rank_type child, round_index turn, Sink& sink) const {
        if (child == no_rank) return;
        if (is_segment(turn - depth_ - 1)) sink(step::send(child, block(turn - depth_ - 1)));
        if (is_segment(turn)) sink(step::recv_reduce(child, block(turn), side_of(child, rank_)));
    }

    rank_type size_;
    rank_type rank_ = 0;
    rank_type parent_ = no_rank; // of a root the other one
    rank_type left_ = no_rank;
    rank_type right_ = no_rank;
    rank_type depth_ = 0;
    round_index up_ = 0; // the round in which the first segment goes to the parent
    block_index segments_;
};

static_assert(generator<allreduce_dual_root>);

constexpr allreduce_dual_root generate(collective_constant<collective::allreduce>, const dual_root& how,
                                       place at) {
    return {at, how.segments};
}

} // namespace tutti
