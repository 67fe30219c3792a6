// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/census_windows.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allreduce of whole vectors in as few rounds as there can be for any number of ranks: rank r gathers the
/// fold W of the w ranks before it, cyclically, until these are all others, and folds its own value V last.
/// See census_windows; exscan/census.hpp is the same, cut at rank 0.
///
/// Rounds: ceil(lg p). Volume: a rank sends one vector (one block) per round and folds one per round, and one
/// more for every 1 among the digits of p - 1 but the first.
/// Order: cyclic, from rank r+1 on to r, so the operation has to commute and floating-point bits differ from
/// rank to rank: taken by name only. Restrictions: none. Two scratch blocks, one if p - 1 has one digit 1.
/// Source: Bar-Noy, Kipnis and Schieber 1993.
class allreduce_census {
public:
    constexpr explicit allreduce_census(place at) : at_(checked(at)), windows_(at.size) {}

    constexpr round_index rounds() const noexcept { return windows_.rounds(); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        return {.scratch_blocks = at_.size == 1         ? 0
                                  : windows_.ones() > 1 ? 2
                                                        : 1,
                .max_outstanding = at_.size == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = rounds(),
                .reduced_blocks = at_.size == 1 ? 0 : rounds() + windows_.ones() - 1,
                .uniform_rounds = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        constexpr buffer_name window = buffer_name::scratch;
        constexpr buffer_name with_own = buffer_name::scratch_1;
        // Example with 5 ranks: rank 3 hears of 2 from 2, of 1 from 2, then of 4 and 0 from 1.
        const rank_type to = ahead(at_.rank, windows_.distance(i), at_.size);
        const rank_type from = behind(at_.rank, windows_.distance(i), at_.size);
        if (windows_.before(i) == 0) {
            sink(step::send(to, all));
            sink(step::recv(from, all, window));
        } else {
            sink(step::send(to, all, windows_.digit(i) == 1 ? with_own : window));
            sink(step::recv_reduce(from, all, operand_side::left, window));
        }
        if (i + 1 == rounds()) {
            sink(step::reduce(all, window, buffer_name::work, operand_side::left));
        } else if (windows_.digit(i + 1) == 1) {
            sink(step::copy(all, window, with_own));
            sink(step::reduce(all, buffer_name::work, with_own, operand_side::right));
        }
    }

private:
    place at_;
    census_windows windows_;
};

constexpr auto generate(collective_constant<collective::allreduce>, const census&, place at) {
    return allreduce_census(at);
}

} // namespace tutti
