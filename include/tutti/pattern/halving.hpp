// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/block.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

/// Recursive vector halving with distance doubling among 2^levels ranks: exchange k = 0, 1, ... pairs ranks
/// at distance 2^k, so the longest messages go to the nearest ranks. The lower of the pair keeps the first
/// half of what both hold, the higher the second half. Run backwards it is vector doubling with distance
/// halving. Source: Rabenseifner and Adamidis 2004, sections 3.2 and 3.5.
namespace tutti {

/// With whom `rank` exchanges in exchange k.
/// Example with 5 ranks (of which 4 take part): rank 2 meets rank 3 (k = 0), then rank 0 (k = 1).
constexpr rank_type halving_partner(rank_type rank, int k) noexcept { return rank ^ (rank_type{1} << k); }

/// The blocks of `blocks` (a multiple of 2^k) that `rank` is left with after k exchanges. Bit j of the rank
/// chose the half in exchange j, so the low k bits, reversed, number the range. Example with 5 ranks (of
/// which 4 take part) and 4 blocks: rank 1 is left with blocks 2,3 (k = 1), then with block 2 (k = 2).
constexpr block_set halving_range(rank_type rank, int k, block_index blocks) noexcept {
    const block_index length = blocks >> k;
    return {.first = reverse_bits(rank, k) * length, .count = length};
}

/// What the partner of the last exchange is left with, given what a rank itself is: the other half.
/// Example with 5 ranks (of which 4 take part) and 4 blocks: 2,3 for 0,1 and 3 for 2.
constexpr block_set other_half(block_set half) noexcept {
    half.first ^=
        half.count; // an even multiple of the count or the next odd one, the count being a power of two
    return half;
}

/// What a rank does when the ranges are gathered in one rank again.
enum class gather_role { idle, sends, receives };

/// The part of `rank` in gathering to `root`, exchange k (counting down to 0). Ranks that differ from the
/// root in a bit above k have sent already. Example with 5 ranks (of which 4 take part), root 2: k = 1: ranks
/// 0,1 send, 2,3 receive; k = 0: 3 sends, 2 receives.
constexpr gather_role halving_gather_role(rank_type rank, rank_type root, int k) noexcept {
    const rank_type difference = (rank ^ root) >> k;
    if (difference == 0) return gather_role::receives;
    return difference == 1 ? gather_role::sends : gather_role::idle;
}

} // namespace tutti
