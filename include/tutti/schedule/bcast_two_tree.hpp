// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/pattern/two_tree.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

namespace detail {

/// Each half of the vector, in `segments`, down its own tree in the same rounds.
constexpr auto bcast_two_halves(place at, block_index segments) {
    return side_by_side(pipelined(bcast_tree(two_tree_half(at, tree_half::first)), segments),
                        pipelined(bcast_tree(two_tree_half(at, tree_half::second)), segments));
}

/// Most messages of one rank in one round, both trees together: two children and the parent in one tree, the
/// parent in the other. They meet as soon as segments overlap and the trees are tall enough.
constexpr std::int64_t two_tree_messages(rank_type size, block_index segments) noexcept {
    if (size == 1) return 0;
    return std::min(segments + (size > 4 ? 2 : 1), std::int64_t{std::min(size, 4)});
}

} // namespace detail

/// Broadcast of two halves of the vector, each in S segments, down two binary trees; no rank but the root
/// has children in both, so everybody's links are busy both ways.
/// Rounds: floor(log2 p) + S (two ranks: S).
/// Volume in blocks of 1/(2S) vector: a rank sends at most 2S, one vector.
/// Any size, any root, any S >= 1.
/// Example with 5 ranks, root 0: the first half goes 0 - 4 - 2 - {1, 3}, the second 0 - 3 - {1 - 2, 4}.
/// Source: Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan".
constexpr auto generate(collective_constant<collective::bcast>, const two_tree& how, place at) {
    const auto flow = detail::bcast_two_halves(at, how.segments);
    return claiming(flow, moving_only({.max_outstanding = detail::two_tree_messages(at.size, how.segments),
                                       .rounds = flow.rounds(),
                                       .sent_blocks = at.size == 1 ? 0 : 2 * how.segments}));
}

} // namespace tutti
