// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/exchanges.hpp>

namespace tutti {

/// Allgather by exchange at the distances of Swing, ..., 11, -5, 3, -1, 1, the farthest first: half the
/// vector goes to the nearest rank, and far messages go two thirds as far as in distance_halving, which saves
/// links of rings and tori, and those between groups of nodes. See allgather_exchanges.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two.
/// Volume: p - 1 of p blocks if p is a power of two; else the busiest rank, an even one of a pair, sends
/// about p' + r in the exchanges and p - 1 at the end. The blocks of a message are two strided sets, four if
/// p is not a power of two. Cost: lg p alpha + (p - 1) m beta for a power of two, m being the length of a
/// block. Order: nothing is folded. Restrictions: none. Source: De Sensi, Bonato, Saam and Hoefler 2024
/// (NSDI), and as the butterfly of De Sensi et al. 2025 (arXiv 2508.17311); both for powers of two and some
/// even p, other sizes are brought down to one here.
using allgather_swing = allgather_exchanges<swing_exchanges>;

constexpr auto generate(collective_constant<collective::allgather>, const swing&, place at) {
    return allgather_swing(at);
}

} // namespace tutti
