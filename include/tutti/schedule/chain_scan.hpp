// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/generator.hpp>

namespace tutti {

/// Whether the fold that a rank gets has its own vector in it.
enum class scan_with : std::uint8_t {
    own,    ///< scan
    others, ///< exscan
};

/// A scan along the line of ranks, the vector in S segments that follow each other by a round.
///
/// Inclusive: a rank folds what it receives to its own vector, which makes its result, and sends that on in
/// the next round. Exclusive: what a rank receives is its result; it folds its own vector to that in scratch
/// and sends it on.
///
/// Rounds: p - 2 + S. Volume in segments: a rank sends S, one vector, and folds as many; rank 0 folds none,
/// nor does the last one if it leaves its own out. Order: kept, as a loop over the ranks would have it.
/// Restrictions: none. Exclusive, rank 0's result stays undefined, and 3 ranks or more take S scratch blocks.
/// Example with 3 ranks and 2 segments: round 0: 0 to 1 segment 0; round 1: 0 to 1 segment 1, 1 to 2 segment
/// 0; round 2: 1 to 2 segment 1.
class chain_scan {
public:
    constexpr chain_scan(scan_with whose, place at, block_index segments)
        : at_(checked(at)), segments_(segments), inclusive_(whose == scan_with::own) {
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
    }

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : at_.size - 2 + segments_; }
    constexpr block_index blocks() const noexcept { return segments_; }

    constexpr capabilities claims() const noexcept {
        const block_index inner = at_.size > 2 ? segments_ : 0;
        const block_index sent = at_.size > 1 ? segments_ : 0;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .scratch_blocks = inclusive_ ? 0 : inner,
                .max_outstanding = inner > 1 ? 2 : std::min(at_.size - 1, 1),
                .rounds = rounds(),
                .sent_blocks = sent,
                .reduced_blocks = inclusive_ ? sent : inner};
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
                            inclusive_      ? buffer_name::work
                            : at_.rank == 0 ? buffer_name::input
                                            : buffer_name::scratch));
        if (at_.rank == 0 || in.first < 0 || in.first >= segments_) return;
        if (inclusive_) return sink(step::recv_reduce(at_.rank - 1, in, operand_side::left));
        // Copied first: that need not wait for what comes.
        if (!is_last) sink(step::copy(in, buffer_name::input, buffer_name::scratch));
        sink(step::recv(at_.rank - 1, in));
        if (!is_last) sink(step::reduce(in, buffer_name::work, buffer_name::scratch, operand_side::left));
    }

private:
    place at_;
    block_index segments_;
    bool inclusive_;
};

} // namespace tutti
