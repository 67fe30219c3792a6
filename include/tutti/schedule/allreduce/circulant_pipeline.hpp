// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast/circulant_pipeline.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce/circulant_pipeline.hpp>

namespace tutti {

/// Allreduce in S segments on the circulant graph: the reduction to rank 0, then the broadcast from there.
///
/// Rounds: 2 (ceil(lg p) + S - 1), for every p.
/// Volume in segments: rank 0 folds one in every round of the reduction. Who sends most, S up and about as
/// many down, has no short formula: it is not stated. Order: needs a commutative operation, but with 2 ranks;
/// same bits on all ranks. Any size, any S >= 1. Source: Träff 2024 (arXiv 2407.18004), reduction and
/// broadcast.
constexpr auto generate(collective_constant<collective::allreduce>, const circulant_pipeline& how, place at) {
    at.root = 0;
    const bcast_circulant_pipeline down(at, how.segments);
    return sequence(reduce_circulant_pipeline(down, how, at), down);
}

} // namespace tutti
