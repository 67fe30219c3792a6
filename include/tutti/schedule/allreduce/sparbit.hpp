// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/sparbit.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/sparbit.hpp>

namespace tutti {

/// Allreduce over the distances 1, 2, 4, ... and back, the longest messages between the nearest ranks.
///
/// Rounds: 2 ceil(lg p), more if messages are bounded: see the allgather. Volume: every rank sends 2 (p - 1)
/// of p blocks and folds p - 1: the least possible, for every p. Order: needs a commutative operation; same
/// bits on all ranks. Restrictions: none. Source: Jeaugey 2025 (arXiv 2506.20252), PAT: see the
/// reduce-scatter.
constexpr auto generate(collective_constant<collective::allreduce>, const sparbit& how, place at) {
    return sequence{generate(of<collective::reduce_scatter>, how, at), allgather_sparbit(at, how)};
}

} // namespace tutti
