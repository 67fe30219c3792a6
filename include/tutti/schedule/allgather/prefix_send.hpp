// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather in which every block goes straight from its owner to everybody else: in round j, counted from 1,
/// rank r and rank r xor j exchange theirs. If p is no power of two, a rank is idle when there is no such
/// rank.
///
/// Rounds: P - 1, where P is the least power of two with p <= P. Volume: every rank sends p - 1 of p blocks,
/// always its own.
/// Cost: (p - 1)(alpha + m beta) + m delta + L for p = P (equation 8); else alpha counts P - 1 times for who
/// waits for the slowest of each round.
/// Order: nothing is folded. Restrictions: none.
/// Source: Kumar and Kalé 2004, section 4.3, for powers of two.
class allgather_prefix_send {
public:
    /// What a multicast may leave out can be told on the spot (see own_block.hpp).
    static constexpr bool sends_only_own_block = true;

    constexpr explicit allgather_prefix_send(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return (round_index{1} << ceil_log2(at_.size)) - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = outstanding(1),
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds() == at_.size - 1 ? rounds() : 0,
                            .bounded_from = late() ? unstated : 0});
    }
    /// Rank 0 has a partner in rounds 1 to P/2, rank P/2 from then on.  Example with 5 ranks: rank 0 in
    /// rounds 1 to 4, with rank 4 in the last of them, and rank 4 in rounds 5, 6, 7.
    constexpr rank_type busiest(round_index i) const noexcept {
        return static_cast<rank_type>(i < half() ? 0 : half());
    }
    constexpr bool same_busiest(round_index width) const noexcept {
        return half() % width == 0 || width > rounds();
    }

    /// No round needs what another one brought (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return rounds() + 1; }
    /// Nobody has more than rank 0 in the first rounds: there it has a partner in every one.
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        return 2 * (width < at_.size - 1 ? width : at_.size - 1);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks, 7 rounds: rank 4's partners are 5, 6, 7, which do not exist, then 0, 1, 2, 3.
        const round_index partner = at_.rank ^ (i + 1);
        if (partner >= at_.size) return;
        const auto peer = static_cast<rank_type>(partner);
        sink(step::send(peer, {.first = at_.rank, .count = 1}));
        sink(step::recv(peer, {.first = peer, .count = 1}));
    }

private:
    constexpr round_index half() const noexcept { return (rounds() + 1) / 2; }
    /// Whether rank P/2 is the only one that is still busy in the second half, with ranks that are ahead of
    /// it: that takes less time than a round otherwise.
    constexpr bool late() const noexcept { return at_.size == half() + 1; }

    place at_;
};

constexpr auto generate(collective_constant<collective::allgather>, const prefix_send&, place at) {
    return allgather_prefix_send(at);
}

} // namespace tutti
