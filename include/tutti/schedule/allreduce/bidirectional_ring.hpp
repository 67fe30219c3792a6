// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/bidirectional_ring.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/bidirectional_ring.hpp>

namespace tutti {

/// Allreduce both ways round the ring at once: the reduce-scatter, then the allgather.
///
/// Rounds: 2 floor(p/2), with two messages each way. Volume: every rank sends 2 (p - 1) of p blocks and folds
/// p - 1: the least possible. Order: needs a commutative operation; same bits on all ranks.
/// Restrictions: none. Source: see the allgather.
constexpr auto generate(collective_constant<collective::allreduce>, const bidirectional_ring& how, place at) {
    return sequence{generate(of<collective::reduce_scatter>, how, at), allgather_bidirectional_ring(at)};
}

} // namespace tutti
