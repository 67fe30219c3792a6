// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// The complete tree with `arity` children per rank, ranks counted cyclically from the root, level by level.
/// All children of a rank are served in one round, so rounds are levels.
class kary_tree {
public:
    constexpr kary_tree(place at, rank_type arity)
        : at_(checked(at)), arity_(checked_arity(arity)), relative_(relative_rank(at.rank, at.root, at.size)),
          level_(level_of(relative_, arity_)), last_level_(level_of(at.size - 1, arity_)) {}

    /// Example with 5 ranks, root 0, arity 2: the parents of 1, 2, 3, 4 are 0, 0, 1, 1.
    constexpr rank_type parent() const noexcept {
        return relative_ == 0 ? no_rank : absolute_rank((relative_ - 1) / arity_, at_.root, at_.size);
    }
    constexpr round_index parent_round() const noexcept { return level_ - 1; }
    constexpr round_index last_round() const noexcept { return level_; }
    constexpr round_index rounds() const noexcept { return last_level_; }

    /// Example with 5 ranks, root 0, arity 2: rank 1 visits 4, 3 in round 1.
    template <class F>
    constexpr void children(round_index round, F&& f) const {
        if (round != level_) return;
        for (std::int64_t n = children_of(relative_); n > 0; --n) f(child(n));
    }
    template <class F>
    constexpr void children_last_first(round_index round, F&& f) const {
        if (round != level_) return;
        const std::int64_t many = children_of(relative_);
        for (std::int64_t n = 1; n <= many; ++n) f(child(n));
    }

    constexpr std::int64_t most_children() const noexcept { return children_of(0); }

    /// The root has most children; of the others, which have a parent in the round before, the first has.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        if (at_.size == 1 || window == 1) return most_children();
        return std::max(most_children(), 1 + children_of(1));
    }

    /// Children lie next to their parent in a line (arity 1) and under the root of a tree of one level only.
    constexpr bool keeps_order() const noexcept {
        return arity_ == 1 ? detail::cyclic_intervals_keep_order(at_, 1)
                           : rounds() <= 1 && detail::cyclic_intervals_keep_order(at_, at_.size - 1);
    }

private:
    static constexpr rank_type checked_arity(rank_type arity) {
        if (arity < 1) detail::throw_argument("arity", arity, "at least 1");
        return arity;
    }

    /// How many edges `relative` lies below the root.
    static constexpr rank_type level_of(rank_type relative, rank_type arity) noexcept {
        if (arity == 1) return relative;
        rank_type level = 0;
        for (; relative > 0; relative = (relative - 1) / arity) ++level;
        return level;
    }

    /// Example with 5 ranks, arity 3: relative rank 0 has 3 children, 1 has one, the others none.
    constexpr std::int64_t children_of(rank_type relative) const noexcept {
        const std::int64_t behind = at_.size - 1 - std::int64_t{relative} * arity_;
        return std::clamp(behind, std::int64_t{0}, std::int64_t{arity_});
    }

    /// The n-th child, 1 <= n <= children_of(relative_).
    constexpr rank_type child(std::int64_t n) const noexcept {
        return absolute_rank(static_cast<rank_type>(std::int64_t{relative_} * arity_ + n), at_.root,
                             at_.size);
    }

    place at_;
    rank_type arity_;
    rank_type relative_;
    rank_type level_;
    rank_type last_level_;
};

static_assert(tree<kary_tree>);

} // namespace tutti
