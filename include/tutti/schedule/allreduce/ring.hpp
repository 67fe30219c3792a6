// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

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
class allreduce_ring
    : public sequence<decltype(generate(of<collective::reduce_scatter>, ring{}, place{})), allgather_ring> {
public:
    constexpr explicit allreduce_ring(place at)
        : sequence(generate(of<collective::reduce_scatter>, ring{}, at), allgather_ring(at)) {}

    /// The most messages that a rank has in `window` successive rounds, each of which has one each way: what
    /// may be under way when so many segments follow each other.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        return 2 * std::min(window, rounds());
    }
};

constexpr allreduce_ring generate(collective_constant<collective::allreduce>, const ring&, place at) {
    return allreduce_ring(at);
}

} // namespace tutti
