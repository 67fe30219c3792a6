// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_message.hpp>
#include <tutti/transport/mailbox_sender.hpp>
#include <tutti/transport/message_aside.hpp>
#include <tutti/transport/pipeline.hpp>

namespace tutti::detail {

/// Reads messages, wherever they lie.
class mailbox_reader : public mailbox_sender {
public:
    using mailbox_sender::mailbox_sender;
    using whereabouts = message_aside::whereabouts;

    void fetch(const mailbox_message& message, std::size_t offset, std::span<std::byte> into) {
        world_->fetch(message.peer_, message.lent_, offset, into);
        // Its sender may have given up meanwhile, and written there.
        const slot& s = to(message.peer_).in_at(message.ticket_);
        if (s.sequence.load(std::memory_order_acquire) != taken(message.ticket_))
            throw_abandoned(message.ticket_, message.peer_, s.channel);
    }

    bool connect(connection& c, rank_type peer) noexcept {
        c.in = world_->find(peer, rank_);
        if (c.in == nullptr) return false;
        c.in_slots.begin(*c.in);
        return true;
    }

    // Hands out the message of a ticket, which was full; false if the sender has just taken it back, or if it
    // comes in parts.
    bool open_message(connection& c, ticket_type ticket, rank_type peer, mailbox_message& message) {
        slot& s = c.in_at(ticket);
        message.peer_ = peer;
        message.ticket_ = ticket;
        message.aside_ = nullptr;
        message.list_ = {};
        message.away_ = false;
        if (s.kind == slot_kind::inside) [[likely]] {
            message.one_ = {s.payload, std::min<std::size_t>(s.length, slot::payload_bytes)};
            return true;
        }
        if (s.kind == slot_kind::copied) {
            message.one_ = {c.in->copies[s.load<std::size_t>() % copies_at_once],
                            std::min<std::size_t>(s.length, copied_bytes)};
            return true;
        }
        return open_long(c, s, peer, message);
    }

    // --- messages that come in parts ---

    // Parts of a message that have come; it may be over then, or revoked.
    void go_on_receiving(connection& c) {
        message_aside& one = *c.arriving;
        const std::atomic<std::uint32_t>& sequence = c.in_at(one.ticket).sequence;
        bool moved = false;
        while (c.reader.left() > 0) {
            const std::span<const std::byte> part = c.reader.next();
            if (sequence.load(std::memory_order_acquire) != taken(one.ticket)) {
                one.is = whereabouts::revoked;
                break;
            }
            if (part.empty()) {
                if (c.reader.is_misled()) throw_no_order(c.peer_rank);
                if (moved) c.tell_peer();
                return;
            }
            one.append(part);
            c.reader.pass();
            moved = true;
        }
        if (one.is == whereabouts::arriving) one.is = whereabouts::here;
        c.arriving = nullptr;
        c.let_go_of(one.ticket);
    }

    whereabouts begin_receiving(connection& c, slot& s, message_aside& one) {
        std::uint32_t expected = full(one.ticket);
        if (!s.sequence.compare_exchange_strong(expected, taken(one.ticket), std::memory_order_acq_rel))
            return whereabouts::revoked;
        c.reader.begin(*world_->pipe(c.peer_rank, rank_), s.load<piped_message>());
        c.arriving = &one;
        return whereabouts::arriving;
    }

    // Another one begins: that has all been sent, or been taken back.
    void end_arrival(connection& c) {
        go_on_receiving(c);
        if (c.arriving != nullptr) throw_no_order(c.peer_rank);
    }

private:
    // Out of line: short messages are not to pay for it.
    [[gnu::noinline]] bool open_long(connection& c, slot& s, rank_type peer, mailbox_message& message) {
        const ticket_type ticket = message.ticket_;
        if (s.kind == slot_kind::piped) return false;
        std::uint32_t expected = full(ticket);
        if (!s.sequence.compare_exchange_strong(expected, taken(ticket), std::memory_order_acq_rel))
            return false;
        if (s.kind == slot_kind::shared)
            message.one_ = world_->common().at(s.load<shared_piece>(), slot::payload_bytes + 1, peer);
        else if (s.kind == slot_kind::listed)
            read_list(c, ticket, s.load<shared_list>(), message);
        else
            read_where_it_lies(s.load<lent_pieces>(), message);
        return true;
    }
    void read_list(connection& c, ticket_type ticket, const shared_list& list, mailbox_message& message) {
        auto& pieces = c.pieces_of(ticket);
        world_->common().read(list, slot::payload_bytes + 1, message.peer_, pieces);
        message.list_ = {pieces.begin(), pieces.size()};
    }
    void read_where_it_lies(const lent_pieces& lent, mailbox_message& message) {
        if (!world_->in_one_process()) {
            message.away_ = true;
            message.lent_ = lent;
            message.list_ = {&message.one_, 0}; // no pieces
        } else if (lent.pieces == 0) {
            message.one_ = {static_cast<const std::byte*>(lent.at), lent.bytes};
        } else {
            message.list_ = {static_cast<const std::span<const std::byte>*>(lent.at), lent.pieces};
        }
    }

    [[noreturn, gnu::cold]] static void throw_no_order(rank_type peer) {
        throw transport_error(sentence({"the parts of a long message from rank ", peer, " are out of order"}),
                              peer);
    }
};

} // namespace tutti::detail
