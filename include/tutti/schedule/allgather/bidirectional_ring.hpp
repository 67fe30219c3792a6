// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/ring.hpp>

namespace tutti {

/// Allgather both ways round the ring at once: a block goes up to the nearer half of the ranks above its
/// owner and down to the other half. If p is even, the rank opposite gets it from below.
///
/// Rounds: floor(p/2): half of those of `ring`, with two messages each way. Volume: every rank sends p - 1 of
/// p blocks, half of them to either neighbour. For networks whose links carry both directions at once and
/// nodes that use several. Cost: floor(p/2) (alpha + m beta) there, m being the length of a block.
/// Order: nothing is folded. Restrictions: none.
/// Source: classic; the ring of Thakur and Gropp 2003 in both directions.
class allgather_bidirectional_ring {
public:
    constexpr explicit allgather_bidirectional_ring(place at)
        : up_(at), down_(at, direction::down), size_(at.size) {}

    constexpr round_index rounds() const noexcept { return size_ / 2; }
    constexpr block_index blocks() const noexcept { return size_; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = size_ == 1   ? 0
                                               : size_ == 2 ? 2
                                                            : 4,
                            .rounds = rounds(),
                            .sent_blocks = size_ - 1,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: in round 1 rank 0 sends block 4 to rank 1 and block 1 to rank 4, and receives
        // block 3 from rank 4 and block 2 from rank 1.
        up_.emit(i, sink);
        if (i < (size_ - 1) / 2) down_.emit(i, sink);
    }

private:
    allgather_ring up_;
    allgather_ring down_;
    rank_type size_;
};

constexpr auto generate(collective_constant<collective::allgather>, const bidirectional_ring&, place at) {
    return allgather_bidirectional_ring(at);
}

} // namespace tutti
