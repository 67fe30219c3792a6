// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast/bine_tree.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// Reduce up the Bine tree: the broadcast with time running backwards.
///
/// Rounds: ceil(lg p). Volume: every rank but the root sends one vector (a block); the root folds as many as
/// it sends in the broadcast. Order: kept for two roots, or pairs, of which the first is about a third or two
/// thirds of p'/2: see bcast_bine_tree::keeps_order; else needs a commutative operation. Restrictions: none.
/// Source: see there.
/// Example with 5 ranks, root 0: 1 sends to 0, then 2 to 0 and 3 to 4, then 4 to 0.
constexpr auto generate(collective_constant<collective::reduce>, const bine_tree&, place at) {
    const bcast_bine_tree down(at);
    const reversed up(down, reversal::folds, at.rank);
    capabilities stated = up.claims();
    stated.order_preserving = down.keeps_order();
    stated.sent_blocks = at.size == 1 ? 0 : 1;
    return claiming(up, stated);
}

} // namespace tutti
