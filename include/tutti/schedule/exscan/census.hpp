// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Exclusive scan by windows. Before each round rank r has the fold W of the w ranks before it; the binary
/// digits of p - 1, from the top, make w grow to p - 1: a 0 doubles it by the W of rank r-w, a 1 doubles it
/// plus one by W folded with the own value V of rank r-w-1. What would lie before rank 0 contributes nothing.
/// W folded with V is made in scratch at the end of the round before; rank 0, which has no W, sends V.
///
/// Rounds: ceil(lg p). Volume: the busiest rank sends one vector (one block) per round and folds one per
/// round after the first, and one more for every 1 among the digits but the first and the last. Order: kept.
/// Restrictions: none. Rank 0's result stays undefined. One scratch block if p - 1 has two digits 1 or more.
/// Source: Bar-Noy, Kipnis and Schieber 1993 (census), cut at rank 0.
class exscan_census {
public:
    constexpr explicit exscan_census(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        const int ones = std::popcount(static_cast<std::uint32_t>(at_.size - 1));
        const int last = (at_.size - 1) & 1;
        return {.order_preserving = true,
                .reads_input = true,
                .scratch_blocks = ones > 1 ? 1 : 0,
                .max_outstanding = at_.size < 3 ? at_.size - 1 : 2,
                .rounds = rounds(),
                .sent_blocks = rounds(),
                // In the last round a rank either folds what comes or has folded for what it sends, not both.
                .reduced_blocks = at_.size < 3 ? 0 : rounds() - 1 + (ones - 1) - last};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        // Example with 5 ranks: p - 1 is 100; the windows before rounds 0, 1, 2 are 0, 1, 2, the distances 1,
        // 1, 2.
        const rank_type window = window_before(i);
        const rank_type reach = distance(i);
        const bool has_window = at_.rank > 0 && window > 0;
        if (at_.rank < at_.size - reach && (has_window || digit(i) == 1))
            sink(step::send(at_.rank + reach, all,
                            !has_window     ? buffer_name::input
                            : digit(i) == 1 ? buffer_name::scratch
                                            : buffer_name::work));
        const rank_type from = at_.rank - reach;
        if (window == 0 && from >= 0) sink(step::recv(from, all));
        if (window > 0 && from >= 1 - digit(i)) sink(step::recv_reduce(from, all, operand_side::left));
        if (i + 1 < rounds() && digit(i + 1) == 1 && at_.rank > 0 && at_.rank < at_.size - distance(i + 1)) {
            sink(step::copy(all, buffer_name::work, buffer_name::scratch));
            sink(step::reduce(all, buffer_name::input, buffer_name::scratch, operand_side::right));
        }
    }

private:
    /// Digit i of p - 1, from the top.  Example with 5 ranks: 1,0,0.
    constexpr rank_type digit(round_index i) const noexcept {
        return ((at_.size - 1) >> (rounds() - 1 - i)) & 1;
    }
    /// The number that the first i digits make.  Example with 5 ranks: 0,1,2.
    constexpr rank_type window_before(round_index i) const noexcept {
        return (at_.size - 1) >> (rounds() - i);
    }
    /// Round i sends so many ranks up.  Example with 5 ranks: 1,1,2: in round 2 rank 1 sends to rank 3.
    constexpr rank_type distance(round_index i) const noexcept { return window_before(i) + digit(i); }

    place at_;
};

constexpr auto generate(collective_constant<collective::exscan>, const census&, place at) {
    return exscan_census(at);
}

} // namespace tutti
