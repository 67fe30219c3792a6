// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox_handle.hpp>
#include <tutti/transport/mailbox_message.hpp>
#include <tutti/transport/mailbox_receiver.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti::detail {

/// Receives that are started first and tested afterwards.
class mailbox_receives : public mailbox_receiver {
public:
    using mailbox_receiver::mailbox_receiver;

    mailbox_handle start_recv(rank_type peer, channel_type channel, scatter_list into,
                              const call_label& label) {
        check_peer(peer);
        connection& c = to(peer);
        started_receive& r = c.receives.push_back();
        r.channel = channel;
        r.into = into;
        r.label = label;
        r.done = false;
        mailbox_handle h;
        h.kind_ = kind::receive;
        h.peer_ = peer;
        h.channel_ = channel;
        h.receive_ = &r;
        return h;
    }

    bool test_receive(mailbox_handle& h) {
        connection& c = to(h.peer_);
        started_receive& mine = *h.receive_;
        // Messages go to the receives of their channel in the order of starting, whichever of them is tested.
        for (started_receive* r = c.receives.first(); r != nullptr && !mine.done; r = r->next)
            if (r->channel == h.channel_ && !r->done && !fill(h.peer_, *r)) break;
        if (!mine.done) return false;
        const std::exception_ptr failure = std::exchange(mine.failure, nullptr);
        abandon_receive(h);
        if (failure != nullptr) std::rethrow_exception(failure);
        return true;
    }

    void abandon_receive(mailbox_handle& h) {
        h.kind_ = kind::complete;
        h.receive_->failure = nullptr;
        to(h.peer_).receives.remove(*h.receive_);
    }

private:
    using kind = mailbox_handle::kind;

    bool fill(rank_type peer, started_receive& r) {
        mailbox_message message;
        try {
            if (!take(peer, r.channel, message, r.label)) return false;
        } catch (const transport_error&) {
            r.failure = std::current_exception();
            r.done = true;
            return true;
        }
        const std::size_t sent = message.bytes();
        const std::size_t expected = total_bytes(r.into);
        if (sent == expected && message.is_away()) {
            fetch_pieces(message, r);
        } else if (sent == expected) {
            copy_pieces(message.pieces(), r.into);
        } else {
            r.failure = std::make_exception_ptr(wrong_length(peer, rank_, sent, expected));
        }
        r.done = true;
        release(message);
        return true;
    }

    void fetch_pieces(const mailbox_message& message, started_receive& r) noexcept {
        try {
            std::size_t offset = 0;
            for (const std::span<std::byte> piece : r.into) {
                fetch(message, offset, piece);
                offset += piece.size();
            }
        } catch (const transport_error&) {
            r.failure = std::current_exception();
        }
    }
};

} // namespace tutti::detail
