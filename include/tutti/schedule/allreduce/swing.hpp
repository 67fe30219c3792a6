// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/swing.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Allreduce at the distances of Swing: the reduce-scatter, near ranks first, then the allgather, far ranks
/// first, so that long messages stay near.
///
/// Rounds: 2 lg p; 2 floor(lg p) + 4 if p is not a power of two. Volume: every rank sends 2 (p - 1) of p
/// blocks and folds p - 1 if p is a power of two, the least possible; else the busiest sends p - 1 more than
/// in the allgather and folds as much as it sends there. Order: needs a commutative operation; same bits on
/// all ranks. Restrictions: none.
/// Source: De Sensi, Bonato, Saam and Hoefler 2024 (NSDI), the bandwidth-optimal algorithm; see the
/// allgather.
constexpr auto generate(collective_constant<collective::allreduce>, const swing&, place at) {
    return there_and_back(allgather_swing(at), at);
}

} // namespace tutti
