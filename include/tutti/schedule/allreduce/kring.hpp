// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/kring.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Allreduce round a ring of groups of k ranks: the reduce-scatter, then the allgather.
///
/// Rounds: 2 (g ceil(p/g) - 1) with g = ceil(p/k) groups. Volume: every rank sends 2 (p - 1) of p blocks and
/// folds p - 1, the least possible; the busiest g more of both if g does not divide p. Order: needs a
/// commutative operation; same bits on all ranks. Restrictions: none; k >= 1.
/// Source: Wilkins et al. 2023: see the allgather.
constexpr auto generate(collective_constant<collective::allreduce>, const kring& how, place at) {
    return there_and_back(allgather_kring(at, how.k), at);
}

} // namespace tutti
