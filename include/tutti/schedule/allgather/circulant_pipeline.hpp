// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/circulant_round.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

/// Allgather in S segments of every block: as many circulant pipelines as there are ranks, over the same
/// graph in the same rounds. In a round a rank sends one message, with a segment of every rank's block at
/// most, and receives one. For blocks of very different lengths (`allgatherv`): a long one does not hold up
/// the others, but goes through as a pipeline of its own.
///
/// Rounds: ceil(lg p) + S - 1, for every p. Volume in segments: every rank sends (p - 1) S of p S, the least
/// possible. A message is made of as many pieces as there are runs of ranks that send the same of each
/// other's: between about log p and p. Order: nothing is folded. Restrictions: none; any S >= 1. Source:
/// Träff 2024 (arXiv 2407.18004), all-broadcast (irregular allgather).
class allgather_circulant_pipeline {
public:
    constexpr allgather_circulant_pipeline(place at, block_index segments)
        : at_(checked(at)), segments_(segments), turn_(ceil_log2(at.size)) {
        constexpr block_index most = std::numeric_limits<std::int32_t>::max();
        if (segments < 1) detail::throw_argument("segments", segments, "at least 1");
        if (segments > most / at.size)
            detail::throw_argument("segments", segments, detail::sentence({"at most ", most / at.size}));
        // The last turn has to be a whole one, so the first may begin in its midst.
        if (turn_ > 0) begin_ = static_cast<int>(mod<round_index>(1 - segments, turn_));
    }

    constexpr round_index rounds() const noexcept { return turn_ == 0 ? 0 : turn_ + segments_ - 1; }
    constexpr block_index blocks() const noexcept { return at_.size * segments_; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = (at_.size - 1) * segments_,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        message(i, at_.rank, step::send(peers(i).to, {}), sink);
        message(i, peers(i).from, step::recv(peers(i).from, {}), sink);
    }

    /// What the reduce-scatter, this backwards, asks for.
    template <class Sink>
    constexpr void emit_last_first(round_index i, Sink&& sink) const {
        message(i, peers(i).from, step::recv(peers(i).from, {}), sink);
        message(i, at_.rank, step::send(peers(i).to, {}), sink);
    }

private:
    struct neighbours {
        rank_type to;
        rank_type from;
    };
    constexpr int round_of_turn(round_index i) const noexcept {
        return static_cast<int>((i + begin_) % turn_);
    }

    /// Example with 5 ranks: in the first round of a turn from rank r to r + 1, then to r + 2, then to r + 3.
    constexpr neighbours peers(round_index i) const noexcept {
        const rank_type skip = halving_skip(at_.size, turn_ - round_of_turn(i));
        return {ahead(at_.rank, skip, at_.size), behind(at_.rank, skip, at_.size)};
    }

    /// What `sender` sends in round i. In the pipeline of root j it counts as rank sender - j; the last
    /// segment takes the place of those behind it. Example with 5 ranks, 1 segment: in the last round, of
    /// skip 3, rank 0 sends to rank 3, as rank 0 its own block and as rank 1 that of rank 4; as ranks 3 and 4
    /// it would send segments -2 and -1 of ranks 2 and 1, which there are none of.
    template <class Sink>
    constexpr void message(round_index i, rank_type sender, step piece, Sink& sink) const {
        const int k = round_of_turn(i);
        detail::one_message all(sink);
        circulant_round(at_.size, k).for_each_sent([&](rank_type first, rank_type count, int block) {
            const block_index segment = std::min<block_index>(block + i - k, segments_ - 1);
            if (segment < 0) return;
            const rank_type root = behind(sender, first + count - 1, at_.size);
            piece.blocks = {.first = root * segments_ + segment,
                            .count = count,
                            .run = count > 1 ? 1 : 0,
                            .stride = count > 1 ? static_cast<std::int32_t>(segments_) : 0};
            all.add(piece);
        });
        all.end();
    }

    place at_;
    block_index segments_;
    int turn_;
    int begin_ = 0; // the round of a turn that comes first
};

static_assert(generator<allgather_circulant_pipeline>);

constexpr allgather_circulant_pipeline generate(collective_constant<collective::allgather>,
                                                const circulant_pipeline& how, place at) {
    return {at, how.segments};
}

} // namespace tutti
