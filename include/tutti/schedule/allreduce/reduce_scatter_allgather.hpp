// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/recursive_multiplying.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Allreduce in groups of f ranks that divide the vector among them, far ones first, and back: the
/// reduce-scatter by recursive_multiplying, then the allgather. For long vectors and several ports; f = 2 is
/// recursive halving and doubling. MPICH calls it k_reduce_scatter_allgather, UCC sra_knomial.
///
/// Rounds: two per digit of the ranks' numbers to the base f, of f - 1 messages each; 4 more if ranks are
/// left over: see the allgather. Volume: every rank sends 2 (p - 1) of p blocks and folds p - 1, the least
/// possible, if none is left over; else rank 0, the busiest, sends p - 1 and what it does in the allgather,
/// and folds as much as that. Order: needs a commutative operation; same bits on all ranks. Restrictions:
/// none; any f >= 2. Source: Wilkins et al. 2023: see the allgather.
constexpr auto generate(collective_constant<collective::allreduce>, const reduce_scatter_allgather& how,
                        place at) {
    return there_and_back(allgather_recursive_multiplying(at, how.radix), at);
}

} // namespace tutti
