// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Inclusive scan with skips of 1, 2, 4, ... ranks: before the round with a skip of s a rank has the fold of
/// the last s ranks, itself the last; it sends that s ranks up, and folds what comes from s ranks below to
/// its left. What would lie before rank 0 contributes nothing.
///
/// Rounds: ceil(lg p). Volume: rank 0 sends one vector (one block) in every round, the last rank folds one:
/// no fewer rounds and no fewer folds in so few rounds are possible, so that an exscan with a fold behind it
/// has nothing over it, and recursive_doubling, which folds twice, but the tree of its folds. Order: kept.
/// Restrictions: none. No scratch. Source: Hillis and Steele 1986 ("Data parallel algorithms", sum of partial
/// sums).
class scan_hillis_steele {
public:
    constexpr explicit scan_hillis_steele(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        return {.order_preserving = true,
                .max_outstanding = std::min(at_.size - 1, 2),
                .rounds = rounds(),
                .sent_blocks = rounds(),
                .reduced_blocks = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        // Example with 5 ranks: the skips are 1, 2, 4; in round 1 rank 2 sends to rank 4 and gets from rank
        // 0.
        const rank_type skip = rank_type{1} << i;
        if (at_.rank < at_.size - skip) sink(step::send(at_.rank + skip, all));
        if (at_.rank >= skip) sink(step::recv_reduce(at_.rank - skip, all, operand_side::left));
    }

private:
    place at_;
};

constexpr auto generate(collective_constant<collective::scan>, const hillis_steele&, place at) {
    return scan_hillis_steele(at);
}

} // namespace tutti
