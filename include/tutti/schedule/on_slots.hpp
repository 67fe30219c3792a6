// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/slots.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/allgather/kprefix.hpp>
#include <tutti/schedule/own_block.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// Strategies in which every block goes straight from its owner to whom it is for: a hole, which could not
/// pass anything on, does no harm. For an allgather direct and prefix_send, for an alltoall pairwise,
/// prefix_send, kprefix and kshift.
template <class Strategy, collective C>
concept one_hop_strategy =
    has_schedule<Strategy, C>
    && detail::is_straight<decltype(generate(of<C>, std::declval<const Strategy&>(), place{}))>;

/// `g`, such a strategy for as many ranks as there are slots, on those slots that have a rank. Messages to
/// and from holes are left out: what remains of a round is a part of the permutation that it was, and loads
/// no link more.
///
/// Rounds: those of g for the number of slots. Volume: every rank sends p - 1 of p blocks.
/// Order: nothing is folded. Restrictions: see one_hop_strategy. How many messages a rank has in a round
/// depends on where the holes are and is not stated: 2 at most.
/// Source: the holes of Kumar and Kalé 2004, section 4.5, met otherwise.
template <generator G>
class straight_on_slots {
public:
    /// What a multicast may leave out can be told on the spot (see own_block.hpp).
    static constexpr bool sends_only_own_block = detail::sends_only_own_block<G>;

    straight_on_slots(G g, slot_map slots) : g_(std::move(g)), slots_(std::move(slots)) {}

    constexpr round_index rounds() const noexcept { return g_.rounds(); }
    constexpr block_index blocks() const noexcept { return slots_.ranks(); }
    constexpr capabilities claims() const noexcept {
        capabilities c = g_.claims();
        c.max_outstanding = unstated;
        c.sent_blocks = slots_.ranks() - 1;
        if (slots_.ranks() < slots_.slots()) c.uniform_rounds = 0; // holes are not sent to
        c.bounded_from = unstated;
        return c;
    }
    constexpr round_index stage() const noexcept { return g_.stage(); }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks on slots 0,1,3,4,7 of 8, the direct strategy: in round 1 rank 2, on slot 3,
        // would send to slot 5, a hole, and receives block 1 from rank 1, on slot 1.
        g_.emit(i, [&](step s) TUTTI_INLINE {
            if (s.is_message()) {
                s.peer = slots_.rank_at(s.peer);
                if (s.peer == no_rank) return;
            }
            s.blocks.first = slots_.rank_at(static_cast<rank_type>(s.blocks.first));
            sink(s);
        });
    }

private:
    G g_;
    slot_map slots_;
};

namespace detail {

/// Refuses a place that is none, or whose size is not the number of ranks on the slots.
inline place checked_on(const slot_map& slots, place at) {
    if (checked(at).size != slots.ranks())
        throw_argument("size", at.size, std::to_string(slots.ranks()) + ", the number of ranks on the slots");
    return at;
}

} // namespace detail

/// Throws argument_error unless the place's size is the number of ranks on the slots.
template <collective C, one_hop_strategy<C> Strategy>
auto generate(collective_constant<C> what, const on_slots<Strategy>& how, place at) {
    const rank_type rank = detail::checked_on(how.slots, at).rank;
    const place slot{.rank = how.slots.slot_of(rank), .size = how.slots.slots()};
    return straight_on_slots(generate(what, how.how, slot), how.slots);
}

/// The one allgather that passes blocks on and yet keeps its slots: see allgather_kprefix_on.
inline auto generate(collective_constant<collective::allgather>, const on_slots<kprefix>& how, place at) {
    return allgather_kprefix_on(how.slots, detail::checked_on(how.slots, at).rank, how.how.k);
}

} // namespace tutti
