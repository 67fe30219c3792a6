// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// All-to-all in a logarithmic number of rounds: a block travels its distance d = receiver - sender along the
/// bits of d; in round k all blocks whose d has bit k move 2^k ranks on.
///
/// No rotation before or after: the block of distance d lies in the caller's input, at (r + d), until it
/// first moves, and from then on in slot (r - d) of the result of the rank r that has it, which is the right
/// slot when it arrives. A slot may be sent and received in the same round.
///
/// Rounds: ceil(lg p); 1 for one rank, which copies its block. Volume: every rank sends, for all d in 1..p-1,
/// as many blocks as d has bits (p/2 lg p for a power of two). Order: nothing is folded. Restrictions: blocks
/// of one length. Source: Bruck, Ho, Kipnis, Upfal and Weathersby 1997, radix 2; without its rotations (cf.
/// Träff, Rougier and Hunold 2014).
class alltoall_bruck {
public:
    constexpr explicit alltoall_bruck(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 1 : ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        block_index sent = 0;
        for (int k = 0; k < ceil_log2(at_.size); ++k) sent += parts(k).total();
        return moving_only({.moves_blocks = true,
                            .reads_input = true,
                            .max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = sent,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (at_.size > 1) exchange(static_cast<int>(i), sink);
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
    }

private:
    /// The distances with bit k, in message order: those that are odd multiples of 2^k ascending, then the
    /// others in groups between two such multiples, groups ascending, each descending (its slots then
    /// ascend). Example with 5 ranks: k = 0: 1,3. k = 1: 2 and then 3. k = 2: 4.
    struct message_parts {
        rank_type fresh = 0;       ///< still in the input
        rank_type full_groups = 0; ///< of 2^k - 1 distances each
        rank_type tail = 0;        ///< distances in the last, shorter group: the ones up to p - 1
        rank_type group = 0;       ///< 2^k - 1

        constexpr block_index total() const noexcept {
            return fresh + block_index{full_groups} * group + tail;
        }
    };

    constexpr message_parts parts(int k) const noexcept {
        const std::int64_t bit = std::int64_t{1} << k;
        const std::int64_t last = at_.size - 1;
        const std::int64_t fresh = (last + bit) / (2 * bit);
        const std::int64_t full = (last + 1) / (2 * bit); // groups that end at (2 * bit) * j - 1 <= last
        const std::int64_t tail = full < fresh ? last - bit - full * 2 * bit : 0;
        return {.fresh = static_cast<rank_type>(fresh),
                .full_groups = static_cast<rank_type>(full),
                .tail = static_cast<rank_type>(tail),
                .group = static_cast<rank_type>(bit - 1)};
    }

    template <class Sink>
    constexpr void exchange(int k, Sink& sink) const {
        const rank_type bit = rank_type{1} << k;
        const message_parts part = parts(k);
        // The distance between starts of pieces; with a single piece it does not matter, and must not
        // overflow.
        const rank_type stride = part.fresh > 1 ? 2 * bit : 0;
        const rank_type to = ahead(at_.rank, bit, at_.size);
        const rank_type from = behind(at_.rank, bit, at_.size);
        const bool moved = part.full_groups > 0 && part.group > 0;
        const block_set groups = moved ? groups_of(part, bit, stride) : block_set{};
        // The last group ends with distance p - 1, in slot r + 1.
        const block_set tail{.first = ahead(at_.rank, 1, at_.size), .count = part.tail};

        const auto message = [&](const step& fresh, auto piece) {
            const bool more = moved || part.tail > 0;
            sink(more ? fresh.and_next() : fresh);
            if (moved) sink(part.tail > 0 ? piece(groups).and_next() : piece(groups));
            if (part.tail > 0) sink(piece(tail));
        };
        message(step::send(to, {.first = to, .count = part.fresh, .run = 1, .stride = stride},
                           buffer_name::input),
                [&](const block_set& slots) { return step::send(to, slots); });
        message(step::recv(from, {.first = from, .count = part.fresh, .run = 1, .stride = -stride}),
                [&](const block_set& slots) { return step::recv(from, slots); });
    }

    /// Slots of the full groups; the first group's highest distance is 2 * bit - 1.
    /// Example with 5 ranks: k = 1, rank 0: distance 3, slot 2.
    constexpr block_set groups_of(const message_parts& part, rank_type bit, rank_type stride) const noexcept {
        return {.first = behind(at_.rank, bit + (bit - 1), at_.size),
                .count = block_index{part.full_groups} * part.group,
                .run = part.group,
                .stride = -stride};
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::alltoall>, const bruck&, place at) {
    return alltoall_bruck(at);
}

} // namespace tutti
