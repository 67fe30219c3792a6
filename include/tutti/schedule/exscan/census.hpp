// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/census_windows.hpp>
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
    constexpr explicit exscan_census(place at) : at_(checked(at)), windows_(at.size) {}

    constexpr round_index rounds() const noexcept { return windows_.rounds(); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        const int ones = windows_.ones();
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
        const rank_type window = windows_.before(i);
        const rank_type reach = windows_.distance(i);
        const bool has_window = at_.rank > 0 && window > 0;
        if (at_.rank < at_.size - reach && (has_window || windows_.digit(i) == 1))
            sink(step::send(at_.rank + reach, all,
                            !has_window              ? buffer_name::input
                            : windows_.digit(i) == 1 ? buffer_name::scratch
                                                     : buffer_name::work));
        const rank_type from = at_.rank - reach;
        if (window == 0 && from >= 0) sink(step::recv(from, all));
        if (window > 0 && from >= 1 - windows_.digit(i))
            sink(step::recv_reduce(from, all, operand_side::left));
        if (i + 1 < rounds() && windows_.digit(i + 1) == 1 && at_.rank > 0
            && at_.rank < at_.size - windows_.distance(i + 1)) {
            sink(step::copy(all, buffer_name::work, buffer_name::scratch));
            sink(step::reduce(all, buffer_name::input, buffer_name::scratch, operand_side::right));
        }
    }

private:
    place at_;
    census_windows windows_;
};

constexpr auto generate(collective_constant<collective::exscan>, const census&, place at) {
    return exscan_census(at);
}

} // namespace tutti
