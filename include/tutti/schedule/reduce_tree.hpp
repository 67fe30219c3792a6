// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

/// Reduction up any tree, in `segments`: each is the broadcast down the tree with time running backwards, so
/// that a rank folds its children, nearest first, and then sends to its parent. Segments go up in the order
/// in which a broadcast after it takes them down again.
/// Rounds: tree.rounds() + segments - 1.
/// Volume: every rank but the root sends the vector once; a rank folds one per child.
/// Order: as the tree says.
/// Any size, any root.
/// Example with 5 ranks, chain to root 3: rank 0 folds from 1 in round 1 and sends to 4 in round 2.
template <tree Tree>
constexpr auto reduce_over(const Tree& shape, block_index segments, rank_type rank) {
    const pipelined flow(reversed(bcast_tree{shape}, reversal::folds, rank), segments);
    return claiming(flow, {.order_preserving = shape.keeps_order(),
                           .same_bits_on_all_ranks = true,
                           .max_outstanding = shape.most_messages(segments),
                           .rounds = flow.rounds(),
                           .sent_blocks = flow.rounds() == 0 ? 0 : segments,
                           .reduced_blocks = shape.most_children() * segments});
}

} // namespace tutti
