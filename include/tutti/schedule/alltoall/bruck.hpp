// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

/// All-to-all in a logarithmic number of rounds: a block travels its distance d = receiver - sender along the
/// digits of d, to the base r; in round k all blocks whose digit k is j > 0 move j r^k ranks on. Radix 2 has
/// the fewest messages, and wants one port; a larger one forwards less and has r - 1 messages in a round.
///
/// No rotation before or after: the block of distance d lies in the caller's input, at (r + d), until it
/// first moves, and from then on in slot (r - d) of the result of the rank r that has it, which is the right
/// slot when it arrives. A slot may be sent and received in the same round.
///
/// Rounds: ceil(log_r p), of at most r - 1 messages each; 1 for one rank, which copies its block. Volume:
/// every rank sends, for all d in 1..p-1, as many blocks as d has digits that are not 0 (p/2 lg p for r = 2
/// and a power of two). Order: nothing is folded. Restrictions: blocks of one length; any r >= 2. Source:
/// Bruck, Ho, Kipnis, Upfal and Weathersby 1997, section 3 (the index operation of radix r); without its
/// rotations (cf. Träff, Rougier and Hunold 2014), and with all messages of a digit in one round.
class alltoall_bruck {
public:
    constexpr explicit alltoall_bruck(place at, rank_type radix = 2) : at_(checked(at)), radix_(radix) {
        if (radix < 2) detail::throw_argument("radix", radix, "at least 2");
    }

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 1 : digits(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        block_index sent = 0;
        for (int k = 0; k < digits(); ++k)
            for_each_digit(k, [&](const message_parts& part) { sent += part.total(); });
        return moving_only({.moves_blocks = at_.size > 1,
                            .reads_input = reads_late(),
                            .max_outstanding = std::int64_t{2} * std::min(radix_ - 1, at_.size - 1),
                            .rounds = rounds(),
                            .sent_blocks = sent,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const int k = static_cast<int>(i);
        for_each_digit(k, [&](const message_parts& part) { send(part, sink); });
        for_each_digit(k, [&](const message_parts& part) { receive(part, sink); });
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
    }

private:
    /// The distances whose digit k is j, in message order: those whose lower digits are 0 ascending, then the
    /// others in groups between two such, groups ascending, each descending (its slots then ascend). Example
    /// with 5 ranks, radix 2: k = 0: 1,3. k = 1: 2 and then 3. k = 2: 4. With radix 3: k = 0: 1,4 and 2. k =
    /// 1: 3 and then 4.
    struct message_parts {
        rank_type move = 0;        ///< j r^k
        rank_type stride = 0;      ///< r^(k+1), between groups; 0 if there is but one
        rank_type fresh = 0;       ///< still in the input
        rank_type full_groups = 0; ///< of r^k - 1 distances each
        rank_type tail = 0;        ///< distances in the last, shorter group: the ones up to p - 1
        rank_type group = 0;       ///< r^k - 1

        constexpr block_index total() const noexcept {
            return fresh + block_index{full_groups} * group + tail;
        }
    };

    constexpr int digits() const noexcept { return ceil_log(radix_, at_.size); }

    /// Whether some block is sent from the input after its place in the result was written, which is that of
    /// the block as far from p: the one that moves later has more zeros below its lowest digit than p, and
    /// there is one unless p has all of them.
    /// Example with 5 ranks: distance 2 moves in round 1, distance 3 in round 0.
    constexpr bool reads_late() const noexcept {
        std::int64_t beyond = radix_;
        while (at_.size % beyond == 0) beyond *= radix_;
        return beyond < at_.size;
    }

    /// Calls f(parts) for the digits j = 1, 2, ... that any distance has in place k.
    template <class F>
    constexpr void for_each_digit(int k, F&& f) const {
        const std::int64_t least = power(radix_, k);
        const std::int64_t period = least * radix_;
        const std::int64_t last = at_.size - 1;
        for (std::int64_t move = least; move < period && move <= last; move += least) {
            const std::int64_t fresh = (last - move) / period + 1;
            const std::int64_t full = last + 1 < move + least ? 0 : (last + 1 - move - least) / period + 1;
            const std::int64_t tail = full < fresh ? last - move - full * period : 0;
            // With a single piece the distance between starts does not matter, and must not overflow.
            f(message_parts{.move = static_cast<rank_type>(move),
                            .stride = static_cast<rank_type>(fresh > 1 ? period : 0),
                            .fresh = static_cast<rank_type>(fresh),
                            .full_groups = static_cast<rank_type>(full),
                            .tail = static_cast<rank_type>(tail),
                            .group = static_cast<rank_type>(least - 1)});
        }
    }

    template <class Sink>
    constexpr void send(const message_parts& part, Sink& sink) const {
        const rank_type to = ahead(at_.rank, part.move, at_.size);
        const block_set fresh{.first = to, .count = part.fresh, .run = 1, .stride = part.stride};
        message(part, step::send(to, fresh, buffer_name::input), step::send(to, {}), sink);
    }

    template <class Sink>
    constexpr void receive(const message_parts& part, Sink& sink) const {
        const rank_type from = behind(at_.rank, part.move, at_.size);
        const block_set fresh{.first = from, .count = part.fresh, .run = 1, .stride = -part.stride};
        message(part, step::recv(from, fresh), step::recv(from, {}), sink);
    }

    /// The fresh blocks, then those in slots, full groups and the last one, which ends with distance p - 1 in
    /// slot r + 1. The first group's highest distance is j r^k + r^k - 1.
    /// Example with 5 ranks, radix 2: k = 1, rank 0: distance 3, slot 2.
    template <class Sink>
    constexpr void message(const message_parts& part, const step& fresh, step piece, Sink& sink) const {
        detail::one_message all(sink);
        all.add(fresh);
        piece.blocks = {.first = behind(at_.rank, part.move + part.group, at_.size),
                        .count = block_index{part.full_groups} * part.group,
                        .run = part.group,
                        .stride = -part.stride};
        if (part.full_groups > 0) all.add(piece); // else there is no such slot
        piece.blocks = {.first = ahead(at_.rank, 1, at_.size), .count = part.tail};
        all.add(piece);
        all.end();
    }

    place at_;
    rank_type radix_;
};

constexpr auto generate(collective_constant<collective::alltoall>, const bruck& how, place at) {
    return alltoall_bruck(at, how.radix);
}

} // namespace tutti
