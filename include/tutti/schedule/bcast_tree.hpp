// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/inline.hpp>
#include <tutti/pattern/tree.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// Broadcast down any tree: a rank receives from its parent, then sends to its children, all in the rounds
/// that the tree says.
/// Rounds: tree.rounds().
/// Volume: the vector once per child.
/// Any size, any root.
/// Reversed, it is a reduction.
/// Example with 5 ranks, chain from root 3: rank 0 receives from 4 in round 1 and sends to 1 in round 2.
template <tree Tree>
class bcast_tree {
public:
    /// The vector counts as `blocks` blocks, which travel together.
    constexpr explicit bcast_tree(Tree shape, block_index blocks = 1)
        : tree_(std::move(shape)), blocks_(blocks) {}

    constexpr round_index rounds() const noexcept { return tree_.rounds(); }
    constexpr block_index blocks() const noexcept { return blocks_; }
    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = tree_.most_messages(1),
                            .rounds = rounds(),
                            .sent_blocks = tree_.most_children() * blocks_});
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const block_set all{.first = 0, .count = blocks_};
        if (i == tree_.parent_round()) sink(step::recv(tree_.parent(), all));
        tree_.children(i, [&](rank_type child) TUTTI_INLINE { sink(step::send(child, all)); });
    }

    /// What a reduction asks for: see `reversed`.
    template <class Sink>
    constexpr void emit_last_first(round_index i, Sink&& sink) const
        requires requires(const Tree& t, detail::ignore_rank f) { t.children_last_first(i, f); }
    {
        const block_set all{.first = 0, .count = blocks_};
        tree_.children_last_first(i, [&](rank_type child) TUTTI_INLINE { sink(step::send(child, all)); });
        if (i == tree_.parent_round()) sink(step::recv(tree_.parent(), all));
    }

    /// From the parent's message to the last child's.
    constexpr round_range active() const noexcept {
        round_index last = rounds() - 1;
        if constexpr (requires { tree_.last_round(); }) last = std::min(last, tree_.last_round());
        return {std::max(tree_.parent_round(), round_index{0}), last + 1};
    }

private:
    Tree tree_;
    block_index blocks_;
};

/// bcast_tree in `segments`, each following the one before by a round.
/// Rounds: tree.rounds() + segments - 1.
template <tree Tree>
constexpr auto bcast_over(const Tree& shape, block_index segments) {
    const pipelined flow(bcast_tree{shape}, segments);
    return claiming(flow, moving_only({.max_outstanding = shape.most_messages(segments),
                                       .rounds = flow.rounds(),
                                       .sent_blocks = shape.most_children() * segments}));
}

} // namespace tutti
