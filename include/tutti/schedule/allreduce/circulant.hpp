// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>

namespace tutti {

/// Allreduce on the circulant graph: the reduce-scatter, then the same backwards as allgather.
///
/// Rounds: 2 ceil(lg p), more if messages are bounded: see the reduce-scatter. Volume: every rank sends 2 (p
/// - 1) of p blocks and folds p - 1: the least possible, for every p. Order: needs a commutative operation;
/// same bits on all ranks. Restrictions: none. Source: Träff 2024 (arXiv 2410.14234), allreduce.
constexpr auto generate(collective_constant<collective::allreduce>, const circulant& how, place at) {
    return sequence{reduce_scatter_circulant(at, how), generate(of<collective::allgather>, how, at)};
}

} // namespace tutti
