// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather in which every block goes straight from its owner to everybody else, at a distance that grows by
/// one per round: every round is one cyclic shift.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks, always its own.
/// Cost: (p - 1) alpha + (p - 1) m (beta + C) + L (equation 2).
/// Order: nothing is folded. Restrictions: none.
/// Source: Kumar and Kalé 2004, section 3.
class allgather_direct {
public:
    /// What a multicast may leave out can be told on the spot (see own_block.hpp).
    static constexpr bool sends_only_own_block = true;

    constexpr explicit allgather_direct(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = outstanding(1),
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds()});
    }

    /// No round needs what another one brought (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return at_.size; }
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        return 2 * (width < rounds() ? width : rounds());
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: in round 1 rank 4 sends its block to rank 1 and receives block 2 from rank 2.
        const auto distance = static_cast<rank_type>(i + 1);
        const rank_type from = behind(at_.rank, distance, at_.size);
        sink(step::send(ahead(at_.rank, distance, at_.size), {.first = at_.rank, .count = 1}));
        sink(step::recv(from, {.first = from, .count = 1}));
    }

private:
    place at_;
};

constexpr auto generate(collective_constant<collective::allgather>, const direct&, place at) {
    return allgather_direct(at);
}

} // namespace tutti
