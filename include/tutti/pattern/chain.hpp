// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// A line of ranks that starts at the root and goes on cyclically, one rank per round.
/// Example with 5 ranks, root 3: 3 -> 4 -> 0 -> 1 -> 2.
class chain_tree {
public:
    constexpr explicit chain_tree(place at)
        : at_(checked(at)), relative_(relative_rank(at.rank, at.root, at.size)) {}

    /// Example with 5 ranks, root 3: the parent of 0 is 4.
    constexpr rank_type parent() const noexcept {
        return relative_ == 0 ? no_rank : absolute_rank(relative_ - 1, at_.root, at_.size);
    }
    constexpr round_index parent_round() const noexcept { return relative_ - 1; }
    constexpr round_index last_round() const noexcept { return relative_; }
    constexpr round_index rounds() const noexcept { return at_.size - 1; }

    /// Example with 5 ranks, root 3: the child of 4 is 0, served in round 1.
    template <class F>
    constexpr void children(round_index round, F&& f) const {
        if (round == relative_ && relative_ < at_.size - 1)
            f(absolute_rank(relative_ + 1, at_.root, at_.size));
    }
    template <class F>
    constexpr void children_last_first(round_index round, F&& f) const {
        children(round, f);
    }

    constexpr std::int64_t most_children() const noexcept { return at_.size > 1 ? 1 : 0; }

    /// Between the ends a rank has a message in two successive rounds.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        return at_.size > 2 && window > 1 ? 2 : most_children();
    }

    constexpr bool keeps_order() const noexcept { return detail::cyclic_intervals_keep_order(at_, 1); }

private:
    place at_;
    rank_type relative_;
};

static_assert(tree<chain_tree>);

} // namespace tutti
