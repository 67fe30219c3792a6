// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/tree.hpp>

namespace tutti {

namespace detail {

/// How many edges `relative` lies below the root.
/// Example with 5 ranks, arity 2: 0, 1, 1, 2, 2.
constexpr rank_type kary_level(rank_type relative, rank_type arity) noexcept {
    if (arity == 1) return relative;
    rank_type level = 0;
    for (; relative > 0; relative = (relative - 1) / arity) ++level;
    return level;
}

/// Example with 5 ranks, arity 3: relative rank 0 has 3 children, 1 has one, the others none.
constexpr rank_type kary_children(rank_type relative, rank_type arity, rank_type size) noexcept {
    const std::int64_t behind = size - 1 - std::int64_t{relative} * arity;
    return static_cast<rank_type>(std::clamp(behind, std::int64_t{0}, std::int64_t{arity}));
}

} // namespace detail

/// The complete tree with `arity` children per rank, ranks counted cyclically from the root, level by level.
/// All children of a rank are served in one round, so rounds are levels. The root has most children; of the
/// others, which have a parent in the round before, the first has.
/// Example with 5 ranks, root 0, arity 2: the parents of 1, 2, 3, 4 are 0, 0, 1, 1.
constexpr tree kary_tree(place at, rank_type arity) {
    checked(at);
    if (arity < 1) detail::throw_argument("arity", arity, "at least 1");
    const rank_type relative = relative_rank(at.rank, at.root, at.size);
    const rank_type level = detail::kary_level(relative, arity);
    const rank_type last_level = detail::kary_level(at.size - 1, arity);
    const rank_type most = detail::kary_children(0, arity, at.size);
    const rank_type many = detail::kary_children(relative, arity, at.size);
    // Children lie next to their parent in a line (arity 1) and under the root of a tree of one level only.
    const bool intervals = arity == 1 || last_level <= 1;
    return tree(
        {.at = at,
         .parent = relative == 0 ? no_rank : (relative - 1) / arity,
         .parent_round = level - 1,
         .rounds = last_level,
         .before = many == 0 ? 0 : relative * arity,
         .falling = many,
         .most_children = most,
         .most_in_two_rounds =
             at.size == 1 ? 0 : std::max(most, 1 + detail::kary_children(1, arity, at.size)),
         .keeps_order = intervals && detail::cyclic_intervals_keep_order(at, arity == 1 ? 1 : at.size - 1)});
}

/// A line of ranks that starts at the root and goes on cyclically, one rank per round. Between the ends a
/// rank has a message in two successive rounds.
/// Example with 5 ranks, root 3: 3 -> 4 -> 0 -> 1 -> 2.
constexpr tree chain_tree(place at) { return kary_tree(at, 1); }

} // namespace tutti
