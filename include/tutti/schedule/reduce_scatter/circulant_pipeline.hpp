// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant_pipeline.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter in S segments of every block: the allgather with time running backwards. For blocks of very
/// different lengths.
///
/// Rounds: ceil(lg p) + S - 1, for every p. Volume in segments: every rank sends and folds (p - 1) S of p S,
/// the least possible. Order: needs a commutative operation, but with 2 ranks. Restrictions: none; any S
/// >= 1. Source: Träff 2024 (arXiv 2407.18004), all-reduction (irregular reduce-scatter).
constexpr auto generate(collective_constant<collective::reduce_scatter>, const circulant_pipeline& how,
                        place at) {
    const auto back = reversed_allgather(allgather_circulant_pipeline(at, how.segments), at);
    capabilities stated = back.claims();
    stated.order_preserving = at.size <= 2;
    return claiming(back, stated);
}

} // namespace tutti
