// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/schedule/bcast_two_tree.hpp>

namespace tutti {

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
    const reversed flow(detail::bcast_two_halves(at, how.segments), reversal::folds, at.rank);
    const block_index moved = at.size == 1 ? 0 : 2 * how.segments;
    return claiming(flow, {.order_preserving = two_tree_half(at, tree_half::first).keeps_order(),
                           .same_bits_on_all_ranks = true,
                           .max_outstanding = detail::two_tree_messages(at.size, how.segments),
                           .rounds = flow.rounds(),
                           .sent_blocks = moved,
                           .reduced_blocks = moved});
}

} // namespace tutti
