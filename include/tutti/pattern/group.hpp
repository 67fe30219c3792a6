// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/block.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Neighbouring ranks (counted from the root) that share a piece of the vector, to be halved again and
/// again: one half of the ranks goes on with one half of the piece (van de Geijn 1991; Moody, Fernandez,
/// Petrini and Panda 2003, section 5.3).
struct rank_group {
    rank_type first = 0;         ///< the group is [first, first + size)
    rank_type size = 1;          ///< >= 1
    block_index first_block = 0; ///< the piece is [first_block, first_block + blocks)
    block_index blocks = 1;      ///< a power of two

    friend constexpr bool operator==(const rank_group&, const rank_group&) = default;

    /// Example with 5 ranks and 2 blocks: ranks 0, 1, 2 with block 0.
    constexpr rank_group lower() const noexcept { return {first, size - size / 2, first_block, blocks / 2}; }

    /// Example with 5 ranks and 2 blocks: ranks 3, 4 with block 1.
    constexpr rank_group upper() const noexcept {
        return {first + size - size / 2, size / 2, first_block + blocks / 2, blocks / 2};
    }

    /// What its ranks share, as the blocks of one message.
    constexpr block_set piece() const noexcept { return {.first = first_block, .count = blocks}; }
};

/// The group of `rank` after `splits` halvings of `whole`. A group of one cannot be halved: it keeps its
/// piece.
/// Example with 5 ranks, 4 blocks, 2 splits: ranks 0, 1 share block 0, rank 2 has block 1, 3 has 2, 4 has 3.
constexpr rank_group group_of(rank_type rank, rank_group whole, int splits) noexcept {
    for (; splits > 0 && whole.size > 1; --splits)
        whole = rank < whole.upper().first ? whole.lower() : whole.upper();
    return whole;
}

/// Calls f(group) for all groups after `splits` halvings of `whole`, in the order of ranks.
template <class F>
constexpr void for_each_group(const rank_group& whole, int splits, F&& f) {
    if (splits == 0 || whole.size == 1) {
        f(whole);
        return;
    }
    for_each_group(whole.lower(), splits - 1, f);
    for_each_group(whole.upper(), splits - 1, f);
}

} // namespace tutti
