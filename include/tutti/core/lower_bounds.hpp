// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/block.hpp>
#include <tutti/core/capabilities.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/relation.hpp>

namespace tutti {

/// What no schedule of a collective can beat: every figure holds by itself, no algorithm need reach all of
/// them.
struct lower_bounds {
    /// Rounds if a rank sends one message and receives one at a time. A round in which some rank has k
    /// messages in one direction is k such rounds: compare with proof::critical_messages, which is `rounds`
    /// for one-ported ones.
    round_index rounds = 0;
    /// The same if a message carries one block at most (pipelines); bcast, reduce, gather and scatter only,
    /// else equal to `rounds`.
    round_index single_block_rounds = 0;
    block_index sent_blocks = 0;    ///< blocks that some rank has to send
    block_index reduced_blocks = 0; ///< blocks that some rank has to fold

    friend constexpr bool operator==(const lower_bounds&, const lower_bounds&) = default;
};

/// Bounds for `size` ranks and a vector of `blocks` equal blocks.
///
/// Rounds: the number of ranks that know of one rank, or that one rank knows of, at most doubles; in every
/// collective some rank has to become known to all, or to know all: ceil(log2 p). (For exscan and scan
/// too: all others need rank 0's contribution.)
/// Blocks: bcast, exscan, scan: the vector of the root, of rank 0, has to leave; reduce: that of every other
/// rank. allgather, reduce_scatter, alltoall: all but a rank's own share crosses the wires. gather: that of
/// every rank but the root leaves it; scatter: all but its own leaves the root. allreduce: both ways,
/// 2(p-1)/p of the vector (Patarasuk and Yuan 2009). Folds: p contributions need p - 1 folds per block,
/// spread over p ranks at best; scan has p of them and all but the first are the outcome of a fold, exscan
/// one less. Example with 5 ranks and 5 blocks: allreduce needs 3 rounds, 8 blocks sent, 4 blocks folded.
constexpr lower_bounds bounds_of(collective what, rank_type size, block_index blocks) noexcept {
    if (size <= 1) return {};
    const auto p = static_cast<std::int64_t>(size);
    const round_index q = ceil_log2(p);
    const block_index share = ceil_div((p - 1) * blocks, p); // the busiest rank has at least the average
    switch (what) {
    case collective::barrier: return {.rounds = q, .single_block_rounds = q};
    case collective::bcast:
        return {.rounds = q, .single_block_rounds = blocks - 1 + q, .sent_blocks = blocks};
    case collective::reduce:
        return {.rounds = q,
                .single_block_rounds = blocks - 1 + q,
                .sent_blocks = blocks,
                .reduced_blocks = share};
    case collective::allreduce:
        return {.rounds = q,
                .single_block_rounds = q,
                .sent_blocks = ceil_div(2 * (p - 1) * blocks, p),
                .reduced_blocks = share};
    case collective::reduce_scatter:
        return {.rounds = q, .single_block_rounds = q, .sent_blocks = share, .reduced_blocks = share};
    case collective::gather:
        return {.rounds = q, .single_block_rounds = std::max(q, share), .sent_blocks = blocks / p};
    case collective::scatter:
        return {.rounds = q, .single_block_rounds = std::max(q, share), .sent_blocks = share};
    case collective::allgather:
    case collective::alltoall: return {.rounds = q, .single_block_rounds = q, .sent_blocks = share};
    case collective::exscan:
        return {.rounds = q,
                .single_block_rounds = q,
                .sent_blocks = blocks,
                .reduced_blocks = ceil_div((p - 2) * blocks, p)};
    case collective::scan:
        return {.rounds = q, .single_block_rounds = q, .sent_blocks = blocks, .reduced_blocks = share};
    case collective::multicast: return {}; // whose depend on the relation, see below
    }
    return {};
}

/// Bounds for a multicast whose vector has `blocks` blocks, equally many per rank.
///
/// Rounds: as above, with the ranks that have to know of one rank, or of which one rank has to know. Blocks:
/// what is wanted crosses the wires, and the busiest rank sends at least the average.
/// Example with 5 ranks and 5 blocks of which rank 0 sends to all and nobody else to anybody: 3 rounds, 1
/// block.
inline lower_bounds bounds_of(const relation& who, block_index blocks) noexcept {
    const round_index q = ceil_log2(1 + std::max(who.most_targets(), who.most_sources()));
    const block_index wanted = blocks / who.size() * who.pairs();
    return {.rounds = q, .single_block_rounds = q, .sent_blocks = ceil_div(wanted, block_index{who.size()})};
}

} // namespace tutti
