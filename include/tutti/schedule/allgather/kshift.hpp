// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by near neighbours and hops: a block is sent to the k - 1 ranks nearest to its owner, then to
/// the rank k ahead, which does the same with it: see window_order, whose holders pass it on.
///
/// Every round is one cyclic shift of all ranks, one block each, so that nothing is sent twice, for any p and
/// k.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks, of ceil((p - 1)/k) owners.
/// Cost: (p - 1)(alpha + m beta) + (p/k) m delta + L (equation 10).
/// Order: nothing is folded. Restrictions: none; k >= 1 (1 is the ring, p or more the direct strategy).
/// Source: Kumar and Kalé 2004, section 4.5, for multiples of k.
class allgather_kshift {
public:
    constexpr allgather_kshift(place at, rank_type k) : order_(at, k) {}

    constexpr round_index rounds() const noexcept { return order_.rounds(); }
    constexpr block_index blocks() const noexcept { return order_.here().size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = outstanding(1),
                            .rounds = rounds(),
                            .sent_blocks = rounds(),
                            .uniform_rounds = rounds()});
    }

    /// The rounds of one window do not need each other (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return order_.stage(); }
    /// Most messages of a rank in `width` rounds side by side, both directions.
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        const round_index most = stage() < blocks() ? stage() : rounds();
        return 2 * (width < most ? width : most);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks, k = 2: distances -1, 2, -1, 1 with holders 0, 0, 2, 2 ahead of the owner: in
        // round 2 rank 0 sends block 3, got in round 1, to rank 4 and receives block 4 from rank 1.
        const auto [rank, size, root] = order_.here();
        const rank_type holder = order_.holder(i);
        const rank_type distance = behind(order_.reach(i), holder, size);
        const rank_type from = behind(rank, distance, size);
        sink(step::send(ahead(rank, distance, size), {.first = behind(rank, holder, size), .count = 1}));
        sink(step::recv(from, {.first = behind(from, holder, size), .count = 1}));
    }

private:
    window_order order_;
};

constexpr auto generate(collective_constant<collective::allgather>, const kshift& how, place at) {
    return allgather_kshift(at, how.k);
}

} // namespace tutti
