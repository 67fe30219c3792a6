// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Stands for "no round": the root of a tree receives in none. One before the first round.
inline constexpr round_index no_round = -1;

namespace detail {

/// Whether folding nearest first keeps the order when ranks are counted cyclically from the root and every
/// subtree is an interval that starts at its own root. Only the fold across the end of the ranks (p-1 next to
/// 0) can break it, and does not when it is the root's last fold: when `last_child`, the root's furthest
/// child as a relative rank, is rank 0.
/// Example with 5 ranks, radix 2: the last child is relative 4; root 1
/// folds 1+2, then 3+4, then 0 on the left.
constexpr bool cyclic_intervals_keep_order(place at, std::int64_t last_child) noexcept {
    return at.root == 0 || at.root == at.size - last_child;
}

} // namespace detail

/// What a tree is to one rank, filled in by those who know its shape. Its ranks are counted cyclically from
/// the root. Plain 32-bit numbers: a schedule holds two trees and must not need memory of its own.
struct tree_parts {
    place at{};                     ///< whose part it is
    rank_type parent = no_rank;     ///< relative to the root; no_rank: this is the root
    std::int32_t parent_round = -1; ///< in which it receives; no_round: this is the root
    std::int32_t rounds = 0;        ///< of the broadcast, equal on all ranks

    /// The children: furthest first, before + falling, ..., before + 1, then rising_from, rising_from + 1,
    /// ... All in the round after the parent's unless there is a radix; then radix^k instead of 1 lies
    /// between them in round rounds - 1 - k, and there are as many as still are ranks.
    rank_type before = 0;      ///< relative; with a radix this rank itself
    rank_type falling = 0;     ///< so many of them; 0 with a radix
    rank_type rising_from = 0; ///< relative
    rank_type rising = 0;      ///< so many of them; 0 with a radix
    rank_type radix = 0;       ///< at least 2; 0: there is none

    rank_type most_children = 0;      ///< of any one rank
    rank_type most_in_two_rounds = 0; ///< without a radix
    bool keeps_order = true;          ///< see tree::keeps_order()
    bool canonical = false;           ///< see tree::canonical()
};

/// A tree as a value: one rank's view of a rooted tree over all ranks, counted in the rounds of a broadcast
/// that flows down it. A reduction is the same tree with time running backwards. One type for all shapes, so
/// that what runs over trees is compiled once; flat_tree(place), kary_tree(place, arity) and others make it.
/// Example with 5 ranks, binomial tree of root 0: rank 2 has parent 0 in round 1 and serves 3 in round 2.
class tree {
public:
    constexpr explicit tree(const tree_parts& parts) noexcept : parts_(parts) {}

    /// The rank whose view this is, the number of ranks and the root.
    constexpr const place& at() const noexcept { return parts_.at; }

    /// The rank it receives from; no_rank at the root.
    /// Example with 5 ranks, root 3: relative rank 1, which is 4, is the parent of 0 in a line.
    constexpr rank_type parent() const noexcept {
        return parts_.parent == no_rank ? no_rank : absolute(parts_.parent);
    }

    /// The round in which it does; no_round at the root.
    constexpr round_index parent_round() const noexcept { return parts_.parent_round; }

    /// How many rounds the broadcast has, the same on every rank.
    constexpr round_index rounds() const noexcept { return parts_.rounds; }

    /// This rank serves no child after it.
    constexpr round_index last_round() const noexcept {
        return parts_.radix == 0 ? std::min(parent_round() + 1, rounds() - 1) : rounds() - 1;
    }

    /// Whether all children of a rank are served in the round after its parent's.
    constexpr bool serves_at_once() const noexcept { return parts_.radix == 0; }

    /// Calls f(child) for the children served in `round`, furthest first.
    /// Example with 5 ranks, root 0, arity 2: rank 1 visits 4, 3 in round 1.
    template <class F>
    TUTTI_INLINE constexpr void children(round_index round, F&& f) const {
        if (serves_at_once()) {
            if (round != parent_round() + 1) return;
            for (rank_type n = parts_.falling; n > 0; --n) f(absolute(parts_.before + n));
            for (rank_type n = 0; n < parts_.rising; ++n) f(absolute(parts_.rising_from + n));
        } else if (const run all = spread(round); all.last > 0) {
            for (std::int64_t n = all.last; n > 0; n -= all.stride) f(behind(n));
        }
    }

    /// children() in the opposite order: as the reversed flow folds them, nearest first.
    template <class F>
    TUTTI_INLINE constexpr void children_last_first(round_index round, F&& f) const {
        if (serves_at_once()) {
            if (round != parent_round() + 1) return;
            for (rank_type n = parts_.rising - 1; n >= 0; --n) f(absolute(parts_.rising_from + n));
            for (rank_type n = 1; n <= parts_.falling; ++n) f(absolute(parts_.before + n));
        } else if (const run all = spread(round); all.last > 0) {
            for (std::int64_t n = all.stride; n <= all.last; n += all.stride) f(behind(n));
        }
    }

    /// Children of the rank that has most.
    constexpr std::int64_t most_children() const noexcept { return parts_.most_children; }

    /// Most tree edges of any one rank in `window` successive rounds, its parent's included: what may be in
    /// flight when so many segments are pipelined; with more than rounds() the largest degree. With a radix
    /// it is the root that has most: its rounds are full but the last, while a rank below it has a parent's
    /// message in place of a full round.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        if (parts_.radix != 0) return std::min(window * (parts_.radix - 1), most_children());
        return window == 1 ? most_children() : parts_.most_in_two_rounds;
    }

    /// Whether the reversed flow, lower ranks folded on the left, only ever joins neighbouring intervals of
    /// ranks.
    constexpr bool keeps_order() const noexcept { return parts_.keeps_order; }

    /// ... and folds them along the tree of capabilities::canonical_tree.
    constexpr bool canonical() const noexcept { return parts_.canonical; }

private:
    struct run {
        std::int64_t stride;
        std::int64_t last; ///< how far behind this rank the furthest child is; 0: none
    };

    constexpr rank_type absolute(rank_type relative) const noexcept {
        return absolute_rank(relative, parts_.at.root, parts_.at.size);
    }
    constexpr rank_type behind(std::int64_t distance) const noexcept {
        return absolute(static_cast<rank_type>(parts_.before + distance));
    }

    /// The children of a round of a tree with a radix, which is one after the parent's.
    constexpr run spread(round_index round) const noexcept {
        const std::int64_t stride = power(parts_.radix, static_cast<int>(rounds() - 1 - round));
        const std::int64_t ranks = parts_.at.size - 1 - parts_.before;
        if (round <= parent_round() || ranks < stride) return {stride, 0};
        const std::int64_t full = (parts_.radix - 1) * stride;
        return {stride, ranks >= full ? full : ranks / stride * stride}; // nearly always: no division
    }

    tree_parts parts_;
};

} // namespace tutti
