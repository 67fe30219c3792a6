// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>

namespace tutti {

/// Allreduce: the pairwise reduce-scatter, then the allgather round a ring.
///
/// Rounds: 2 (p - 1). Volume: every rank sends 2 (p - 1) of p blocks and folds p - 1.
/// Order: needs a commutative operation; same bits on all ranks. Restrictions: none.
/// Source: Rabenseifner and Adamidis 2004, section 3.7, T_all,ring.
constexpr auto generate(collective_constant<collective::allreduce>, const pairwise_ring&, place at) {
    return sequence{reduce_scatter_pairwise(at), allgather_ring(at)};
}

} // namespace tutti
