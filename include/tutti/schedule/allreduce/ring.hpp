// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/ring.hpp>

namespace tutti {

/// Allreduce round a ring: the reduce-scatter between nearest neighbours, then the allgather in the same
/// direction. Every rank receives from one and sends to one other rank throughout.
///
/// Rounds: 2 (p - 1). Volume: every rank sends 2 (p - 1) of p blocks and folds p - 1: the least possible.
/// Order: needs a commutative operation; same bits on all ranks. Restrictions: none.
/// Source: Patarasuk and Yuan 2009; what NCCL, Horovod and Open MPI call ring.
constexpr auto generate(collective_constant<collective::allreduce>, const ring& how, place at) {
    return sequence{generate(of<collective::reduce_scatter>, how, at), allgather_ring(at)};
}

} // namespace tutti
