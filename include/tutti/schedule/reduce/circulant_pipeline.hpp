// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast/circulant_pipeline.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// The reduction below, made of the broadcast `down` of the same place: who needs both makes one schedule.
constexpr auto reduce_circulant_pipeline(const bcast_circulant_pipeline& down, place at) {
    const reversed up(down, reversal::folds, at.rank);
    capabilities stated = up.claims();
    stated.order_preserving =
        at.size <= 2 || (at.size == 3 && (at.root == 2 || (at.root == 1 && down.blocks() == 1)));
    stated.sent_blocks = at.size == 1 ? 0 : down.blocks();
    return claiming(up, stated);
}

/// Reduction in S segments on the circulant graph: the broadcast with time running backwards.
///
/// Rounds: ceil(lg p) + S - 1, a lower bound, for every p.
/// Volume in segments: every rank but the root sends S; the root folds one in every round.
/// Order: needs a commutative operation; not with 2 ranks, nor with 3 if the root is 2, or 1 and S = 1.
/// Any size, any root, any S >= 1.
/// Source: Träff 2024 (arXiv 2407.18004), reduction.
constexpr auto generate(collective_constant<collective::reduce>, const circulant_pipeline& how, place at) {
    return reduce_circulant_pipeline(bcast_circulant_pipeline(at, how.segments), at);
}

} // namespace tutti
