// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// Every other rank is a child of the root, served in one round: the shape of Moody's *serial* reduction
/// (Moody, Fernandez, Petrini and Panda 2003, section 4.1).
class flat_tree {
public:
    constexpr explicit flat_tree(place at) : at_(checked(at)) {}

    constexpr rank_type parent() const noexcept { return is_root() ? no_rank : at_.root; }
    constexpr round_index parent_round() const noexcept { return is_root() ? no_round : 0; }
    constexpr round_index rounds() const noexcept { return at_.size > 1 ? 1 : 0; }

    /// In an order that, reversed, keeps the order of ranks for any root: the ranks below the root are
    /// folded first, going down, each on the left; then those above it, going up, each on the right.
    /// Example with 5 ranks, root 2: visits 4, 3, 0, 1; the reversed flow folds 1, 0, 3, 4.
    template <class F>
    constexpr void children(round_index round, F&& f) const {
        if (!is_root() || round != 0) return;
        for (rank_type child = at_.size - 1; child > at_.root; --child) f(child);
        for (rank_type child = 0; child < at_.root; ++child) f(child);
    }

    template <class F>
    constexpr void children_last_first(round_index round, F&& f) const {
        if (!is_root() || round != 0) return;
        for (rank_type child = at_.root - 1; child >= 0; --child) f(child);
        for (rank_type child = at_.root + 1; child < at_.size; ++child) f(child);
    }

    constexpr std::int64_t most_children() const noexcept { return at_.size - 1; }
    constexpr std::int64_t most_messages(round_index) const noexcept { return at_.size - 1; }
    constexpr bool keeps_order() const noexcept { return true; }

private:
    constexpr bool is_root() const noexcept { return at_.rank == at_.root; }

    place at_;
};

static_assert(tree<flat_tree>);

} // namespace tutti
