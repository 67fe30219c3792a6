// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/exchanges.hpp>

namespace tutti {

/// Allgather by exchange at distance p'/2, ..., 2, 1: both partners send all they have, so that the longest
/// messages go to the nearest ranks, as in sparbit; here every rank has one peer per round. What is sent are
/// every second, fourth, ... block. See allgather_exchanges.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two.
/// Volume: p - 1 of p blocks if p is a power of two; else rank 0, the busiest, sends
/// p' - 1 + sum over 1 <= k <= lg p' of ceil(r/2^k) in the exchanges and p - 1 at the end.
/// Cost: lg p alpha + (p - 1) m beta for a power of two, m being the length of a block.
/// Order: nothing is folded. Restrictions: none.
/// Source: recursive doubling, its exchanges in the other order: the second half of Rabenseifner's allreduce.
using allgather_distance_halving = allgather_exchanges<halving_exchanges>;

constexpr auto generate(collective_constant<collective::allgather>, const distance_halving&, place at) {
    return allgather_distance_halving(at);
}

} // namespace tutti
