// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Exclusive scan along the line of ranks, the vector in S segments: what a rank receives is its result; it
/// folds its own vector to that in scratch and sends it on in the next round.
///
/// Rounds: p - 2 + S. Volume in segments: a rank sends S, one vector, and folds as many; rank 0 and the last
/// one fold none. Order: kept, as a loop over the ranks would have it. Restrictions: none. Rank 0's result
/// stays undefined. S scratch blocks with 3 ranks or more.
/// Example with 3 ranks and 2 segments: round 0: 0 to 1 segment 0; round 1: 0 to 1 segment 1, 1 to 2 segment
/// 0; round 2: 1 to 2 segment 1. Source: classic; algorithms for long vectors are measured against it.
class exscan_chain {
public:
    constexpr exscan_chain(place at, block_index segments) : at_(checked(at)), segments_(segments) {
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
    }

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : at_.size - 2 + segments_; }
    constexpr block_index blocks() const noexcept { return segments_; }

    constexpr capabilities claims() const noexcept {
        const block_index inner = at_.size > 2 ? segments_ : 0;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .scratch_blocks = inner,
                .max_outstanding = inner > 1 ? 2 : std::min(at_.size - 1, 1),
                .rounds = rounds(),
                .sent_blocks = at_.size == 1 ? 0 : segments_,
                .reduced_blocks = inner};
    }

    constexpr round_range active() const noexcept {
        return {std::max(at_.rank - 1, 0), std::min(at_.rank + segments_, rounds())};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: in round 3 rank 2 sends segment 1 to rank 3 and gets segment 2 from rank 1.
        const block_index out = i - at_.rank;
        const block_set in{.first = out + 1, .count = 1};
        const bool is_last = at_.rank == at_.size - 1;
        if (!is_last && out >= 0 && out < segments_)
            sink(step::send(at_.rank + 1, {.first = out, .count = 1},
                            at_.rank == 0 ? buffer_name::input : buffer_name::scratch));
        if (at_.rank == 0 || in.first < 0 || in.first >= segments_) return;
        // Copied first: that need not wait for what comes.
        if (!is_last) sink(step::copy(in, buffer_name::input, buffer_name::scratch));
        sink(step::recv(at_.rank - 1, in));
        if (!is_last) sink(step::reduce(in, buffer_name::work, buffer_name::scratch, operand_side::left));
    }

private:
    place at_;
    block_index segments_;
};

constexpr auto generate(collective_constant<collective::exscan>, const chain& how, place at) {
    return exscan_chain(at, how.segments);
}

} // namespace tutti
