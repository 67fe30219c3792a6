// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/pattern/binary_blocks.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// The reduce-scatter phase of binary_blocks: afterwards the ranks of the largest block of ranks hold one
/// block of the result each, rank y the one of number reverse_bits(y). Not a reduce_scatter in the sense of
/// MPI: the result is in an order of its own, and only in the largest block of ranks.
///
/// Every block of 2^e ranks halves in rounds 0 .. e-1 and folds what the next smaller block has in round e.
/// The smaller one is ready by then: it has folded in round e' < e itself. A rank of the smaller block holds
/// the range that 2^(e - e') ranks of the larger one hold in pieces, and sends each its piece.
///
/// Rounds: floor(lg p), and 1 more if p is not a power of two.
/// Volume, with p' = 2^floor(lg p) blocks: sends p' - 1 in the largest block, p' elsewhere; folds p', but p'
/// - p'/2^e in the last block, of 2^e ranks. Order: kept, larger blocks have the lower ranks. Restrictions:
/// none. Source: Rabenseifner and Adamidis 2004, section 3.6 and Fig. 3.
class binary_blocks_phase {
public:
    constexpr explicit binary_blocks_phase(place at)
        : at_(checked(at)), own_(block_of(at.rank, at.size)), largest_(block_of(0, at.size)) {}

    constexpr round_index rounds() const noexcept {
        return largest_.exponent + (has_smaller(largest_, at_.size) ? 1 : 0);
    }
    constexpr block_index blocks() const noexcept { return largest_.ranks(); }

    constexpr capabilities claims() const noexcept {
        const bool uneven = has_smaller(largest_, at_.size);
        const block_index busiest = uneven ? blocks() : blocks() - 1;
        // A sender writes one message per rank of the larger block that shares its range.
        const std::int64_t messages = std::int64_t{1} << delta_expo_max(at_.size);
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = true,
                .max_outstanding = at_.size == 1  ? 0
                                   : messages < 2 ? 2
                                                  : messages,
                .rounds = rounds(),
                .sent_blocks = busiest,
                .reduced_blocks = busiest,
                .uniform_rounds = uneven ? 0 : rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const rank_type number = at_.rank - own_.first;
        if (i < own_.exponent) {
            const auto rank_of = [this](rank_type other) { return own_.first + other; };
            return detail::halve(number, static_cast<int>(i), blocks(), rank_of, sink);
        }
        if (i == own_.exponent && has_smaller(own_, at_.size)) sink(fold_of(number));
        if (!has_larger(own_)) return;
        const rank_block to = larger(own_, at_.size);
        if (i != to.exponent) return;
        for (rank_type owner = number; owner < to.ranks(); owner += own_.ranks()) sink(piece_for(owner, to));
    }

    /// What the way back, this backwards, asks for.
    template <class Sink>
    constexpr void emit_last_first(round_index i, Sink&& sink) const {
        const rank_type number = at_.rank - own_.first;
        if (i < own_.exponent) {
            const auto rank_of = [this](rank_type other) { return own_.first + other; };
            return detail::halve_last_first(number, static_cast<int>(i), blocks(), rank_of, sink);
        }
        if (has_larger(own_)) {
            const rank_block to = larger(own_, at_.size);
            if (i == to.exponent)
                for (rank_type owner = to.ranks() - own_.ranks() + number; owner >= 0; owner -= own_.ranks())
                    sink(piece_for(owner, to));
        }
        if (i == own_.exponent && has_smaller(own_, at_.size)) sink(fold_of(number));
    }

private:
    /// Example with 5 ranks: in round 2, ranks 0..3 each fold a quarter of what rank 4 has.
    constexpr step fold_of(rank_type number) const noexcept {
        const rank_block from = smaller(own_, at_.size);
        const rank_type peer = from.first + number % from.ranks();
        return step::recv_reduce(peer, halving_range(number, own_.exponent, blocks()), operand_side::right);
    }

    /// What number `owner` of the larger block of ranks gets. Example with 5 ranks: rank 4 sends rank 1 the
    /// third quarter.
    constexpr step piece_for(rank_type owner, const rank_block& to) const noexcept {
        return step::send(to.first + owner, halving_range(owner, to.exponent, blocks()));
    }

    place at_;
    rank_block own_;     // the block of ranks that this rank is in
    rank_block largest_; // the block of rank 0
};

} // namespace tutti
