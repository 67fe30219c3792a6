// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather round a ring: every rank passes on to its right neighbour what it got last from the left one;
/// the other way round if the direction is down.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks.
/// Order: nothing is folded. Restrictions: none.
/// Source: Rabenseifner and Adamidis 2004, section 3.2 (ring algorithms), after Thakur and Gropp 2003.
class allgather_ring {
public:
    constexpr explicit allgather_ring(place at, direction where = direction::up)
        : at_(checked(at)), where_(where) {}

    constexpr round_index rounds() const noexcept { return at_.size - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: in round 1 rank 0 sends block 4 to rank 1 and receives block 3 from rank 4.
        const auto age = static_cast<rank_type>(i);
        const direction back = opposite(where_);
        const rank_type from = along(back, at_.rank, 1, at_.size);
        sink(step::send(along(where_, at_.rank, 1, at_.size),
                        {.first = along(back, at_.rank, age, at_.size), .count = 1}));
        sink(step::recv(from, {.first = along(back, from, age, at_.size), .count = 1}));
    }

private:
    place at_;
    direction where_;
};

constexpr auto generate(collective_constant<collective::allgather>, const ring&, place at) {
    return allgather_ring(at);
}

} // namespace tutti
