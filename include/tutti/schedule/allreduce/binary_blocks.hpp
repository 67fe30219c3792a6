// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/binary_blocks_phase.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// Allreduce in power-of-two blocks of ranks: the reduce-scatter phase, then the same backwards as allgather.
///
/// Rounds: 2 floor(lg p), and 2 more if p is not a power of two.
/// Volume, with p' = 2^floor(lg p) blocks: the busiest rank sends 2 p' - 2 if p is a power of two, 2 p' - 1
/// if it is the sum of two, 2 p' else (a middle block sends and receives everything twice); folds p' (p' -
/// 1). A rank of a smaller block has up to 2^delta_expo_max messages in one round. Order: kept; same bits on
/// all ranks. Restrictions: none. For a power of two the same as halving_doubling. Source: Rabenseifner and
/// Adamidis 2004, section 3.6 and Fig. 3.
constexpr auto generate(collective_constant<collective::allreduce>, const binary_blocks&, place at) {
    const binary_blocks_phase scatter(at);
    const sequence both(scatter, reversed(scatter, reversal::copies, at.rank));
    const block_index n = scatter.blocks();
    const int powers = std::popcount(static_cast<std::uint32_t>(at.size));
    capabilities stated = both.claims();
    stated.sent_blocks = 2 * n - (powers == 1 ? 2 : powers == 2 ? 1 : 0);
    return claiming(both, stated);
}

} // namespace tutti
