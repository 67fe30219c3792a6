// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/rank.hpp>

/// A tree as a value: one rank's view of a rooted tree over all ranks, counted in the rounds of a broadcast
/// that flows down it. A reduction is the same tree with time running backwards.
///
/// parent()          the rank it receives from; no_rank at the root
/// parent_round()    the round in which it does; no_round at the root
/// rounds()          how many rounds the broadcast has, the same on every rank
/// children(i, f)    calls f(child) for the children served in round i > parent_round(), furthest first, so
///                   that the reversed flow folds the nearest first
/// most_children()   children of the rank that has most
/// most_messages(w)  most tree edges of any one rank in w successive rounds, its parent's included: what may
///                   be in flight when w segments are pipelined; with w > rounds() the largest degree
/// keeps_order()     whether the reversed flow, lower ranks folded on the left, only ever joins neighbouring
///                   intervals of ranks
///
/// A tree may also have
/// last_round()             this rank serves no child after it; else rounds() - 1 is taken
/// children_last_first(i,f) children(i, f) in the opposite order, which spares a reduction to turn them round
namespace tutti {

/// Stands for "no round": the root of a tree receives in none. One before the first round.
inline constexpr round_index no_round = -1;

namespace detail {
struct ignore_rank {
    constexpr void operator()(rank_type) const noexcept {}
};

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

template <class T>
concept tree = std::copy_constructible<T> && requires(const T& t, round_index i, detail::ignore_rank f) {
    { t.parent() } -> std::same_as<rank_type>;
    { t.parent_round() } -> std::same_as<round_index>;
    { t.rounds() } -> std::same_as<round_index>;
    t.children(i, f);
    { t.most_children() } -> std::same_as<std::int64_t>;
    { t.most_messages(i) } -> std::same_as<std::int64_t>;
    { t.keeps_order() } -> std::same_as<bool>;
};

} // namespace tutti
