// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/block.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/tree.hpp>

namespace tutti {

/// Which way the vector goes through a tree.
enum class tree_way : std::uint8_t {
    down,        ///< from the root: bcast
    up,          ///< to the root, folded on the way: reduce
    up_and_down, ///< to the root and back: allreduce
};

/// The vector through one tree, or one half of it through each of two in the same rounds, in segments that
/// follow each other by a round.
///
/// Down: a rank receives from its parent, then sends to its children, all in the rounds that the tree says.
/// Up is down with time running backwards: a rank folds its children, nearest first and lower ranks on the
/// left, and then sends to its parent; segments go up in the order in which they come down.
///
/// Written out, not composed of `pipelined`, `reversed` and `sequence`, which say the same and which the
/// tests hold against it: half of all algorithms of a catalogue are this, and it is compiled once.
///
/// Rounds: tree.rounds() + segments - 1, of the taller of two trees; twice that up and down.
/// Example with 5 ranks, chain of root 3, 1 segment: down, rank 0 receives from 4 in round 1 and sends to 1
/// in round 2; up, it folds from 1 in round 1 and sends to 4 in round 2.
class tree_flow {
public:
    constexpr tree_flow(tree_way way, block_index segments, const tree& only)
        : tree_flow(way, segments, 1, only, only) {}
    constexpr tree_flow(tree_way way, block_index segments, const tree& first, const tree& second)
        : tree_flow(way, segments, 2, first, second) {}

    constexpr round_index rounds() const noexcept {
        return way_ == tree_way::up_and_down ? 2 * one_way() : one_way();
    }
    constexpr block_index blocks() const noexcept { return trees_ * segments_; }
    constexpr capabilities claims() const noexcept { return trees_ == 1 ? of_one() : of_two(); }

    /// From the parent's message of the first segment to the last child's of the last, and the way back.
    constexpr round_range active() const noexcept {
        round_range all;
        for (const tree* t = tree_; t != tree_ + trees_; ++t) {
            const round_index begin = std::max(t->parent_round(), round_index{0});
            const round_index end = t->last_round() + 1;
            if (begin >= end) continue; // one rank
            const round_index back = t->rounds();
            const round_range down{begin, end + segments_ - 1};
            const round_range up{back - end, back - begin + segments_ - 1};
            if (way_ != tree_way::up) all = hull(all, down.shifted(up_));
            if (way_ != tree_way::down) all = hull(all, up);
        }
        return all;
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        // Which way is asked once: a processor that guesses it right is done with it for both trees.
        if (i < up_) {
            for (int k = 0; k < trees_; ++k) emit_up(tree_[k], i, k * segments_, sink);
        } else {
            for (int k = 0; k < trees_; ++k) emit_down(tree_[k], i - up_, k * segments_, sink);
        }
    }

private:
    constexpr tree_flow(tree_way way, block_index segments, int trees, const tree& first, const tree& second)
        : tree_{first, second}, segments_(segments), trees_(trees), way_(way) {
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
        if (way != tree_way::down) up_ = one_way();
    }

    constexpr round_index one_way() const noexcept {
        const round_index tallest = std::max(tree_[0].rounds(), tree_[1].rounds());
        return tallest == 0 ? 0 : tallest + segments_ - 1;
    }

    static constexpr block_set block(block_index b) noexcept { return {.first = b, .count = 1}; }

    /// Round r of the tree carries segment i - r: late rounds first, so that segments go out in order.
    template <class Sink>
    TUTTI_INLINE constexpr void emit_down(const tree& t, round_index i, block_index half, Sink& sink) const {
        const round_index from_parent = t.parent_round();
        const round_index since = i - from_parent; // the parent's segment; its children's come later
        if (since < 0) return;
        const block_index first = half + i;
        const auto serve = [&](round_index r) TUTTI_INLINE {
            t.children(r, [&](rank_type child) TUTTI_INLINE { sink(step::send(child, block(first - r))); });
        };
        if (t.serves_at_once()) {
            if (since > segments_) return;
            if (since > 0) serve(from_parent + 1);
        } else {
            const round_index oldest = std::max(i - segments_, from_parent);
            for (round_index r = std::min(i, t.rounds() - 1); r > oldest; --r) serve(r);
        }
        if (from_parent != no_round && since < segments_)
            sink(step::recv(t.parent(), block(first - from_parent)));
    }

    /// The same rounds, counted from the end: round r of the tree carries segment r - (rounds - 1 - i).
    template <class Sink>
    TUTTI_INLINE constexpr void emit_up(const tree& t, round_index i, block_index half, Sink& sink) const {
        const round_index newest = t.rounds() - 1 - i; // round of segment 0
        const round_index to_parent = t.parent_round();
        const round_index ahead = to_parent - newest; // the segment that goes to the parent
        if (ahead >= segments_) return;
        const block_index first = half - newest;
        const rank_type rank = t.at().rank;
        const auto serve = [&](round_index r) TUTTI_INLINE {
            t.children_last_first(r, [&](rank_type child) TUTTI_INLINE {
                sink(step::recv_reduce(child, block(first + r), side_of(child, rank)));
            });
        };
        if (to_parent != no_round && ahead >= 0) sink(step::send(t.parent(), block(first + to_parent)));
        if (t.serves_at_once()) {
            if (ahead + 1 >= 0 && ahead + 1 < segments_) serve(to_parent + 1);
        } else {
            const round_index end = std::min(newest + segments_, t.rounds());
            for (round_index r = std::max(to_parent + 1, newest); r < end; ++r) serve(r);
        }
    }

    /// Up, every rank but the root sends the vector once and folds one per child; up and down it sends one
    /// per tree edge it has.
    constexpr capabilities of_one() const noexcept {
        const tree& t = tree_[0];
        const bool down = way_ == tree_way::down;
        const bool up = way_ == tree_way::up;
        const std::int64_t sent = down ? t.most_children()
                                  : up ? std::min(t.rounds(), round_index{1})
                                       : t.most_messages(t.rounds() + 1);
        return {.order_preserving = down || t.keeps_order(),
                .same_bits_on_all_ranks = true,
                .canonical_tree = !down && t.canonical(),
                .max_outstanding = t.most_messages(segments_),
                .rounds = rounds(),
                .sent_blocks = sent * segments_,
                .reduced_blocks = down ? 0 : t.most_children() * segments_};
    }

    /// Of the two-tree pair, in which only the root has children in both trees.
    constexpr capabilities of_two() const noexcept {
        const rank_type size = tree_[0].at().size;
        const bool down = way_ == tree_way::down;
        // Two children and the parent in one tree, the parent in the other: they meet as soon as segments
        // overlap and the trees are tall enough. Upwards both trees start in round 0, and with 4 ranks the
        // second one is taller, so that the first one's last messages meet the second one's.
        const std::int64_t overlapping = segments_ + (size > (down ? 4 : 3) ? 2 : 1);
        const std::int64_t edges = std::min(size, 4); // of one rank in both trees, and most messages at once
        const block_index moved = size == 1 ? 0 : 2 * segments_;
        return {.order_preserving = down || tree_[0].keeps_order(),
                .same_bits_on_all_ranks = true,
                .max_outstanding = size == 1 ? 0 : std::min(overlapping, edges),
                .rounds = rounds(),
                .sent_blocks = way_ == tree_way::up_and_down && size > 1 ? edges * segments_ : moved,
                .reduced_blocks = down ? 0 : moved};
    }

    tree tree_[2]; // the same twice where there is but one
    block_index segments_;
    round_index up_ = 0; // rounds on the way up
    int trees_;
    tree_way way_;
};

static_assert(generator<tree_flow>);

} // namespace tutti
