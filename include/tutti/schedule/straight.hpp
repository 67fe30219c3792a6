// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Allgather or alltoall in which every block goes straight from its owner to whom it is for. `Order` says
/// whom a rank meets in which round: see pattern/meeting_orders.hpp.
///
/// Rounds: those of the order; 1 for one rank of an alltoall, which copies its block. Volume: every rank
/// sends p - 1 of p blocks, its own or those of its input, the least possible. Order: nothing is folded.
/// Restrictions: those of the order; blocks of an allgather have any lengths, those of an alltoall one, or
/// one for each pair of ranks (alltoallv).
template <collective C, class Order>
    requires(C == collective::allgather || C == collective::alltoall)
class straight : public Order {
public:
    /// What a multicast may leave out can be told on the spot (see own_block.hpp).
    static constexpr bool sends_only_own_block = C == collective::allgather;
    /// For whoever makes longer messages of them: see alltoall/by_nodes.hpp.
    static constexpr bool sends_straight = C == collective::alltoall;

    using Order::here;
    using Order::Order;

    constexpr round_index rounds() const noexcept {
        return C == collective::alltoall && here().size == 1 ? 1 : Order::rounds();
    }
    constexpr block_index blocks() const noexcept { return here().size; }

    constexpr capabilities claims() const noexcept {
        bool alike = true;
        bool bounded = false;
        bool in_pairs = false;
        if constexpr (!always_alike)
            alike = Order::alike(), bounded = Order::bounded(), in_pairs = Order::in_pairs();
        return moving_only({.moves_blocks = C == collective::alltoall,
                            .reads_input = C == collective::alltoall && !in_pairs,
                            .max_outstanding = outstanding(1),
                            .rounds = rounds(),
                            .sent_blocks = blocks() - 1,
                            .uniform_rounds = alike ? rounds() : 0,
                            .bounded_from = bounded ? 0 : unstated});
    }

    /// No round needs what another one brought (see flow_control.hpp), and somebody has both messages in
    /// every round of the first stage, or as many as there are.
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        return 2 * (width < blocks() - 1 ? width : blocks() - 1);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Who meets nobody in a round is to do the same as others but for messages, which then come last.
        if (!always_alike && i == 0) keep_own(sink);
        if (C == collective::allgather || i < Order::rounds()) {
            // Example with 5 ranks, in cyclic order: in round 1 rank 4 sends its block, or that for rank 1,
            // to rank 1 and receives block 2 from rank 2.
            const rank_type to = Order::to(i);
            const rank_type from = Order::from(i);
            if (always_alike || to != no_rank) {
                if constexpr (C == collective::allgather)
                    sink(step::send(to, {.first = here().rank, .count = 1}));
                else
                    sink(step::send(to, {.first = to, .count = 1}, buffer_name::input));
            }
            if (always_alike && i == 0) keep_own(sink); // while the other one's is on its way
            if (always_alike || from != no_rank) sink(step::recv(from, {.first = from, .count = 1}));
        } else if (always_alike) {
            keep_own(sink);
        }
    }

private:
    /// All ranks meet somebody in every round, however many they are.
    static constexpr bool always_alike = !requires(const Order& order) { order.bounded(); };

    template <class Sink>
    constexpr void keep_own([[maybe_unused]] Sink& sink) const {
        if constexpr (C == collective::alltoall)
            sink(step::copy({.first = here().rank, .count = 1}, buffer_name::input, buffer_name::work));
    }
};

namespace detail {
template <class G>
inline constexpr bool is_straight = false;
template <collective C, class Order>
inline constexpr bool is_straight<straight<C, Order>> = true;
} // namespace detail

} // namespace tutti
