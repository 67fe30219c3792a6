// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/fixed_array.hpp>
#include <tutti/core/linked_list.hpp>
#include <tutti/core/reusable_list.hpp>
#include <tutti/transport/attendance.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/doorbell.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/message_aside.hpp>
#include <tutti/transport/pipeline.hpp>

namespace tutti::detail {

/// A receive that was started by start_recv.
struct started_receive {
    channel_type channel = 0;
    scatter_list into{};
    call_label label{};
    bool done = false;
    std::exception_ptr failure{};
    started_receive* next = nullptr; ///< of the same peer
};

/// What one rank knows of its traffic with one peer. Only that rank's thread touches it.
struct alignas(cache_line) connection {
    // What a short message needs lies in one line for each direction.

    mailbox* out = nullptr; ///< this rank writes; made at its first message
    slot_ring out_slots;
    ticket_type posted = 0;           ///< next ticket to give to a send
    ticket_type consumed_by_peer = 0; ///< the last that was heard of it
    doorbell* peer_bell = nullptr;
    attendance* peer_spot = nullptr; ///< null where the peer is another process
    rank_type own_rank = no_rank;
    rank_type peer_rank = no_rank;
    bool may_deepen = false; ///< `out`, when it is full

    alignas(cache_line) mailbox* in =
        nullptr; ///< this rank reads; null until the peer's first message is seen
    slot_ring in_slots;
    ticket_type next = 0;       ///< next ticket to look at
    ticket_type consumed = 0;   ///< all before it have been released
    std::uint64_t held = 0;     ///< bit s: the message in slot s is handed out and not released
    std::uint64_t released = 0; ///< as in `in`

    /// A send that was given up before it found a free slot, in a call that goes on nowhere: a message on
    /// another channel waits behind it.
    struct gap {
        ticket_type ticket;
        channel_type channel;
    };
    reusable_list<gap> gaps; ///< in the order of tickets
    /// A copy of a message that its sender has given up while the receiver was reading it.
    struct orphan {
        ticket_type ticket;
        std::byte* copy;
    };
    reusable_list<orphan> orphans;
    linked_list<started_receive> receives;
    linked_list<message_aside> aside; ///< in the order of their sending

    pipe_writer writer;
    pipe_reader reader;
    message_aside* arriving = nullptr; ///< which the reader is at

    /// Where the pieces of messages lie that were handed out, by their slots; none before the first such
    /// message.
    fixed_array<reusable_list<std::span<const std::byte>>> pieces;

    /// Which copies of messages to the peer are free: each is when the message before this ticket has been
    /// consumed.
    std::array<ticket_type, copies_at_once> copied_behind{};
    std::size_t next_copy = 0;
    ticket_type next_when_sent = 0; ///< `next` when a message was last written that may be copied

    // Whether the peer has sent something between this rank's message before and the one that is written now:
    // then both wait for each other anyway.
    bool is_answered() noexcept { return std::exchange(next_when_sent, next) != next; }

    // In which copy the message of ticket t can be put; none if too many have not been read yet.
    std::optional<std::size_t> room_for_copy(ticket_type t) noexcept {
        ticket_type& behind = copied_behind[next_copy];
        if (behind != 0 && !is_consumed(behind - 1)) return std::nullopt;
        behind = t + 1;
        return std::exchange(next_copy, (next_copy + 1) % copies_at_once);
    }

    // Whether the next one is known to be free, without a look at what the peer writes.
    bool knows_room_for_copy() const noexcept { return copied_behind[next_copy] <= consumed_by_peer; }

    void tell_peer() noexcept {
        if (peer_bell->heeds(own_rank)) [[unlikely]]
            attendance::notice(*peer_bell, peer_spot);
    }

    slot& out_at(ticket_type t) noexcept { return out_slots.of(*out, t); }
    slot& in_at(ticket_type t) noexcept { return in_slots.of(*in, t); }

    reusable_list<std::span<const std::byte>>& pieces_of(ticket_type t) {
        if (pieces.data() == nullptr) pieces = decltype(pieces)(depth_of_shared_cores);
        return pieces[t % depth_of_shared_cores];
    }

    static std::uint64_t bit(ticket_type t) noexcept {
        return std::uint64_t{1} << (t % depth_of_shared_cores);
    }

    bool is_consumed(ticket_type t) noexcept {
        if (t < consumed_by_peer) return true;
        consumed_by_peer = out->consumed.load(std::memory_order_acquire);
        return t < consumed_by_peer;
    }

    // Whether the receiver has let go of the message of ticket t, even if it holds an older one.
    bool is_released(ticket_type t) noexcept {
        return is_consumed(t) || (out->released.load(std::memory_order_acquire) & bit(t)) != 0;
    }

    // The slot of ticket t is free when its previous message, `depth` tickets ago, has been consumed.
    bool has_room(ticket_type t) noexcept { return t < out_slots.depth || is_consumed(t - out_slots.depth); }

    // Whether the receiver can see all messages before that of ticket t, or that they will not come.
    bool all_written_before(ticket_type t) noexcept {
        for (ticket_type one = consumed_by_peer; one < t; ++one) {
            const std::uint32_t now = out_at(one).sequence.load(std::memory_order_relaxed);
            if (now >> 2 != full(one) >> 2 || (now & 3) == 0) return false;
        }
        return true;
    }

    // The message of ticket t is about to be written; if it takes the last slot, those behind it get deeper
    // ones.
    void deepen_behind(ticket_type t) noexcept {
        if (may_deepen && !has_room(t + 1)) [[unlikely]] {
            out_slots.deepen(*out, t + 1);
            may_deepen = false;
        }
    }
    // The reader goes on to the next message.
    void pass(const slot& s) noexcept {
        ++next;
        if (s.deepens != 0) [[unlikely]]
            in_slots.deepen(*in, next);
    }

    void publish(slot& s, ticket_type t) noexcept {
        // Messages come in rows of one length, so the next one will take so much of its slot. Asked before
        // the signal: behind it the line may be with the other core.
        const std::size_t used = s.kind == slot_kind::inside ? slot::bytes_before_payload + s.length : 1;
        // Tells the peer on the way what of its own messages is consumed: in an exchange nobody ever has to
        // fetch the line of the counter from the other core.
        s.acknowledged = static_cast<std::uint32_t>(consumed);
        s.deepens = t + 1 == out_slots.first ? 1 : 0;
        s.sequence.store(full(t), std::memory_order_release);
        tell_peer();
        expect_write(reinterpret_cast<const std::byte*>(&out_at(t + 1)), used);
    }

    // The message of ticket t, which is free, will never come, and nobody waits for it.
    void leave_out(ticket_type t, channel_type channel) noexcept {
        slot& s = out_at(t);
        s.channel = channel;
        s.deepens = t + 1 == out_slots.first ? 1 : 0;
        s.sequence.store(revoked(t), std::memory_order_release);
        tell_peer();
    }

    // Gives ticket t up: for ever if it has its slot, and else back, if no later one was given.
    void give_up(ticket_type t, channel_type channel) {
        fill_gaps();
        if (has_room(t)) return leave_out(t, channel);
        std::size_t place = gaps.size();
        while (place > 0 && gaps[place - 1].ticket > t) --place;
        gaps.insert(place, {t, channel});
        for (; !gaps.empty() && gaps.back().ticket + 1 == posted; gaps.pop_back()) --posted;
    }
    // Those that have their slots by now; behind each there is a message that is still to be written.
    void fill_gaps() noexcept {
        for (; !gaps.empty() && has_room(gaps.front().ticket); gaps.erase(0))
            leave_out(gaps.front().ticket, gaps.front().channel);
    }

    void hear(const slot& s) noexcept {
        // Older news than what is known already may come from a message that waited for its slot.
        const auto news =
            static_cast<std::int32_t>(s.acknowledged - static_cast<std::uint32_t>(consumed_by_peer));
        if (news > 0) consumed_by_peer += static_cast<ticket_type>(news);
    }

    void let_go_of(ticket_type ticket) noexcept {
        held &= ~bit(ticket);
        let_go();
    }

    // All before the oldest message still held are consumed; usually none is held.
    // The peer may be waiting for this, for room in the ring or for the end of a long send.
    void let_go() noexcept {
        if (held == 0) [[likely]] {
            consumed = next;
            if (released != 0) [[unlikely]]
                tell_released(0);
        } else {
            let_go_of_some();
        }
        in->consumed.store(consumed, std::memory_order_release);
        tell_peer();
    }

private:
    [[gnu::noinline]] void let_go_of_some() noexcept {
        std::uint64_t here = 0; // of the slots from the oldest held one on, those that are not held
        while ((held & bit(consumed)) == 0) ++consumed;
        for (ticket_type t = consumed; t < next; ++t) here |= bit(t) & ~held;
        if (here != released) tell_released(here);
    }
    // Before `consumed`: when the sender uses a slot again, its bit is down.
    void tell_released(std::uint64_t now) noexcept {
        released = now;
        in->released.store(now, std::memory_order_release);
    }
};

} // namespace tutti::detail
