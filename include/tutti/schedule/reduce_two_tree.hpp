// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/schedule/bcast_two_tree.hpp>

namespace tutti {

namespace detail {

/// Each half of the vector, in `segments`, up its own tree in the same rounds.
constexpr auto reduce_two_halves(place at, block_index segments) {
    const auto up = [&](tree_half which) {
        return pipelined(reversed(bcast_tree(two_tree_half(at, which)), reversal::folds, at.rank), segments);
    };
    return side_by_side(up(tree_half::first), up(tree_half::second));
}

/// As two_tree_messages; but both trees start in round 0, and with 4 ranks the second one is taller, so that
/// the first one's last messages meet the second one's.
constexpr std::int64_t reduce_two_tree_messages(rank_type size, block_index segments) noexcept {
    if (size == 1) return 0;
    return std::min(segments + (size > 3 ? 2 : 1), std::int64_t{std::min(size, 4)});
}

} // namespace detail

/// Reduction of two halves of the vector, each in S segments, up two binary trees: the two-tree broadcast
/// with time running backwards.
/// Rounds: floor(log2 p) + S (two ranks: S).
/// Volume in blocks of 1/(2S) vector: a rank sends 2S and folds 2S.
/// Order: kept if the root is 0 or p - 1, both trees being in-order over the other ranks.
/// Any size, any root, any S >= 1.
/// Example with 5 ranks, root 0: the first half comes {1, 3} - 2 - 4 - 0, the second {2 - 1, 4} - 3 - 0.
/// Source: Sanders, Speck and Träff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan".
constexpr auto generate(collective_constant<collective::reduce>, const two_tree& how, place at) {
    const auto flow = detail::reduce_two_halves(at, how.segments);
    const block_index moved = at.size == 1 ? 0 : 2 * how.segments;
    return claiming(flow, {.order_preserving = two_tree_half(at, tree_half::first).keeps_order(),
                           .same_bits_on_all_ranks = true,
                           .max_outstanding = detail::reduce_two_tree_messages(at.size, how.segments),
                           .rounds = flow.rounds(),
                           .sent_blocks = moved,
                           .reduced_blocks = moved});
}

} // namespace tutti
