// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant_pipeline.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// Reduce-scatter in S segments of every block: the allgather with time running backwards. For blocks of very
/// different lengths.
///
/// Rounds: ceil(lg p) + S - 1, for every p. Volume in segments: every rank sends and folds (p - 1) S of p S,
/// the least possible. Order: needs a commutative operation, but with 2 ranks. Restrictions: none; any S
/// >= 1. Source: Träff 2024 (arXiv 2407.18004), all-reduction (irregular reduce-scatter).
constexpr auto generate(collective_constant<collective::reduce_scatter>, const circulant_pipeline& how,
                        place at) {
    const allgather_circulant_pipeline gather(at, how.segments);
    capabilities stated = gather.claims();
    stated.order_preserving = at.size <= 2;
    stated.reduced_blocks = stated.sent_blocks;
    return claiming(reversed(gather, reversal::folds, at.rank), stated);
}

} // namespace tutti
