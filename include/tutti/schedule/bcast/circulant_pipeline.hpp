// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/circulant_blocks.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Broadcast in S segments on the circulant graph with halving skips: the root gives away a new segment in
/// every round, and once the first have gone round everybody receives one and sends one in every round.
///
/// Rounds: ceil(lg p) + S - 1, the fewest that S segments can take, for every p.
/// Volume in segments: the root sends one in every round, the last one ceil(lg p) times.
/// Any size, any root, any S >= 1.
/// Example with 5 ranks, root 0, 2 segments, sender to receiver: round 0: 0 to 3 segment 0; round 1: 0 to 1
/// segment 1, 3 to 4 segment 0; round 2: 0 to 2 segment 1, 4 to 1 segment 0; round 3: 0 to 3 segment 1, 1 to
/// 4 segment 1, 4 to 2 segment 0. Source: Träff 2024 (arXiv 2407.18004), broadcast.
class bcast_circulant_pipeline {
public:
    constexpr bcast_circulant_pipeline(place at, block_index segments)
        : at_(checked(at)), segments_(segments),
          scheduled_(relative_rank(at.rank, at.root, at.size), at.size) {
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
        // The last turn has to be a whole one, so the first may begin in its midst.
        if (at.size > 1) begin_ = static_cast<int>(mod<round_index>(1 - segments, scheduled_.turn()));
    }

    constexpr round_index rounds() const noexcept {
        return at_.size == 1 ? 0 : scheduled_.turn() + segments_ - 1;
    }
    constexpr block_index blocks() const noexcept { return segments_; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = at_.size > 2 && segments_ > 1 ? 2 : std::min(at_.size - 1, 1),
                            .rounds = rounds(),
                            .sent_blocks = rounds()});
    }

    /// Everybody has its first segment after two turns at most, and the last one in the last turn.
    constexpr round_range active() const noexcept {
        round_range when{0, rounds()};
        while (!when.empty() && in_round(when.begin).idle()) ++when.begin;
        while (!when.empty() && in_round(when.end - 1).idle()) --when.end;
        return when;
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const messages now = in_round(i);
        if (now.sent >= 0) sink(step::send(now.to, {.first = now.sent, .count = 1}));
        if (now.received >= 0) sink(step::recv(now.from, {.first = now.received, .count = 1}));
    }

    /// What the reduction, this backwards, asks for.
    template <class Sink>
    TUTTI_INLINE constexpr void emit_last_first(round_index i, Sink&& sink) const {
        const messages now = in_round(i);
        if (now.received >= 0) sink(step::recv(now.from, {.first = now.received, .count = 1}));
        if (now.sent >= 0) sink(step::send(now.to, {.first = now.sent, .count = 1}));
    }

private:
    struct messages {
        rank_type to;
        rank_type from;
        block_index sent;     ///< negative: nothing
        block_index received; ///< negative: nothing

        constexpr bool idle() const noexcept { return sent < 0 && received < 0; }
    };

    /// The last segment takes the place of those behind it.
    /// Example with 5 ranks, root 0, 2 segments: round 1 is the first of a turn, with skip 1; rank 3 sends
    /// segment -1 + 1 to rank 4, rank 1 receives segment 0 + 1 from rank 0.
    constexpr messages in_round(round_index i) const noexcept {
        const int k = static_cast<int>((i + begin_) % scheduled_.turn());
        const rank_type skip = halving_skip(at_.size, scheduled_.turn() - k);
        const rank_type to = ahead(at_.rank, skip, at_.size);
        const rank_type from = behind(at_.rank, skip, at_.size);
        const auto segment = [&](int block) { return std::min(block + i - k, segments_ - 1); };
        return {.to = to,
                .from = from,
                .sent = to == at_.root ? -1 : segment(scheduled_.sent(k)),
                .received = at_.rank == at_.root ? -1 : segment(scheduled_.received(k))};
    }

    place at_;
    int begin_ = 0; // the round of a turn that comes first
    block_index segments_;
    circulant_blocks scheduled_;
};

static_assert(generator<bcast_circulant_pipeline>);

constexpr bcast_circulant_pipeline generate(collective_constant<collective::bcast>,
                                            const circulant_pipeline& how, place at) {
    return {at, how.segments};
}

} // namespace tutti
