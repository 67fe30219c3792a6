// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/block.hpp>

namespace tutti {

/// Index or number of rounds.
using round_index = std::int64_t;

/// A figure that a generator does not state; the prover then reports it without comparing.
inline constexpr std::int64_t unstated = -1;

/// What a generator claims of the whole collective, the same on every rank. The prover tests every claim;
/// the user-facing calls refuse a request that the claims do not cover.
struct capabilities {
    /// Works for every number of ranks. If not, constructing for another size throws argument_error.
    bool any_size = true;
    /// Folds lower ranks on the left, contiguously: associative but non-commutative operations are allowed.
    bool order_preserving = false;
    /// Every rank that gets a block gets it by the same tree of folds: identical floating-point bits.
    bool same_bits_on_all_ranks = false;
    /// Folds n ranks as the ranks before the largest power of two below n with those behind it, both
    /// likewise: all algorithms that claim this have the same floating-point bits, whatever the root, and one
    /// of an even number of ranks those of half as many that hold a pair each. Example with 5 ranks: ((0 1)
    /// (2 3)) 4.
    bool canonical_tree = false;
    /// A message may change the index of a block, so all blocks must have the same number of elements.
    bool moves_blocks = false;
    /// Reads the caller's input after the result may have been written: in-place calls copy it first.
    bool reads_input = false;

    block_index scratch_blocks = 0;          ///< most scratch blocks that one rank defines
    std::int64_t max_outstanding = unstated; ///< most messages of one rank in one round, both directions
    round_index rounds = unstated;           ///< rounds of the whole collective
    block_index sent_blocks = unstated;      ///< blocks sent in all by the rank that sends most
    block_index reduced_blocks = unstated;   ///< blocks folded in all by the rank that folds most
    /// In the first so many rounds all ranks do the same: the same kinds of messages and local steps with as
    /// many blocks, in the same order. One of them then stands for all when a schedule is priced.
    round_index uniform_rounds = 0;
    /// From this round on no rank does more than busiest_rank() of the round: the same but for messages,
    /// local steps or blocks that it leaves out. That one stands for all when a long schedule is priced: a
    /// bound from above, met where all do the same, and missed where those who leave something out are ahead.
    round_index bounded_from = unstated;

    friend constexpr bool operator==(const capabilities&, const capabilities&) = default;
};

/// `figures` as the claims of an algorithm that only moves blocks: what nobody folds keeps its order and its
/// bits.
constexpr capabilities moving_only(capabilities figures) noexcept {
    figures.order_preserving = true;
    figures.same_bits_on_all_ranks = true;
    figures.reduced_blocks = 0;
    return figures;
}

} // namespace tutti
