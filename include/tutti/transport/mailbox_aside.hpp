// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

#include <tutti/core/rank.hpp>
#include <tutti/core/reusable_list.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_message.hpp>
#include <tutti/transport/mailbox_reader.hpp>
#include <tutti/transport/message_aside.hpp>

namespace tutti::detail {

/// Puts messages aside that are in the way of others, or that come in parts, and finds them again.
class mailbox_aside : public mailbox_reader {
public:
    using mailbox_reader::mailbox_reader;

    enum class arrival : std::uint8_t { nothing, a_part, all };

    // Puts the next message aside, so that those behind it can be seen, or parts of it. One that lies in the
    // sender's memory stays there, and the sender may still take it back.
    // One that nobody waits for any more is left there, unread.
    [[gnu::noinline]] void set_aside(connection& c, slot& s, bool is_revoked) {
        if (is_called_off(s.channel)) [[unlikely]] {
            c.pass(s);
            c.let_go();
            return;
        }
        const slot_kind way = s.kind;
        if (way == slot_kind::piped && !is_revoked && c.arriving != nullptr) end_arrival(c);
        message_aside& one = c.aside.push_back();
        one.clear();
        ++c.in_slots.set_aside;
        one.channel = s.channel;
        one.held = false;
        one.label = s.label;
        one.ticket = c.next;
        if (is_revoked) {
            one.is = whereabouts::revoked;
        } else if (way == slot_kind::inside) {
            const std::size_t bytes = std::min<std::size_t>(s.length, slot::payload_bytes);
            one.append({s.payload, bytes});
            one.is = whereabouts::here;
        } else {
            one.is = way == slot_kind::piped ? begin_receiving(c, s, one) : whereabouts::lent;
        }
        c.pass(s);
        if (one.is == whereabouts::lent || one.is == whereabouts::arriving) {
            c.held |= c.bit(one.ticket);
            make_room(c);
        } else {
            c.let_go();
        }
    }

    [[gnu::noinline]] arrival take_aside(connection& c, rank_type peer, channel_type channel,
                                         mailbox_message& message, const call_label& label) {
        if (c.arriving != nullptr) go_on_receiving(c);
        for (message_aside* one = c.aside.first(); one != nullptr; one = one->next) {
            if (one->channel != channel || one->held) continue;
            if (one->is != whereabouts::revoked && one->label != label)
                throw_other_call(peer, channel, one->label, label);
            if (one->is == whereabouts::arriving) {
                if (!world_->has_left(peer)) return arrival::a_part;
                go_on_receiving(c);
                if (one->is == whereabouts::arriving) throw_gone(peer, channel);
            }
            if (one->is == whereabouts::lent && !open_message(c, one->ticket, peer, message)) {
                one->is = whereabouts::revoked;
                c.let_go_of(one->ticket);
            }
            if (one->is == whereabouts::revoked) {
                const ticket_type ticket = one->ticket;
                forget(c, *one);
                throw_abandoned(ticket, peer, channel);
            }
            if (one->is == whereabouts::here) {
                message.one_ = one->content();
                message.list_ = {};
                message.away_ = false;
            }
            one->held = true;
            message.peer_ = peer;
            message.aside_ = one;
            return arrival::all;
        }
        make_room(c);
        return arrival::nothing;
    }

private:
    // What is put aside may stop no others: with half of the ring behind the oldest one, that one is copied.
    void make_room(connection& c) {
        for (message_aside* at = c.aside.first(); at != nullptr; at = at->next) {
            message_aside& one = *at;
            if (c.next - c.consumed <= c.in_slots.depth / 2) return;
            if (one.is != whereabouts::lent || one.held) continue;
            mailbox_message message;
            if (!open_message(c, one.ticket, c.peer_rank, message))
                one.is = whereabouts::revoked;
            else if (copy_aside(c, one, message))
                one.is = whereabouts::here;
            else
                return;
            c.let_go_of(one.ticket);
        }
    }

    // False if it cannot be copied just now: who waits for it is told why, when it looks.
    bool copy_aside(connection& c, message_aside& one, const mailbox_message& message) {
        try {
            const std::size_t bytes = message.bytes();
            for (const auto& piece : message.pieces()) one.append(piece); // none of one that is away
            reusable_list<std::byte> room;
            if (one.content().size() < bytes) room.assign(std::min(std::size_t{1} << 20, bytes), {});
            while (one.content().size() < bytes) {
                const std::size_t done = one.content().size();
                const std::span<std::byte> part(room.data(), std::min(room.size(), bytes - done));
                fetch(message, done, part);
                one.append(part);
            }
            return true;
        } catch (const std::exception&) {
            one.clear();
            std::uint32_t expected = taken(one.ticket);
            c.in_at(one.ticket)
                .sequence.compare_exchange_strong(expected, full(one.ticket), std::memory_order_acq_rel);
            return false;
        }
    }
};

} // namespace tutti::detail
