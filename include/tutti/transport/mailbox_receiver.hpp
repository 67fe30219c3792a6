// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>

#include <tutti/core/rank.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_aside.hpp>
#include <tutti/transport/mailbox_message.hpp>

namespace tutti::detail {

/// Hands out messages in the order of their channel.
class mailbox_receiver : public mailbox_aside {
public:
    using mailbox_aside::mailbox_aside;

    bool take(rank_type peer, channel_type channel, mailbox_message& message, const call_label& label) {
        connection& c = to(peer);
        if (c.in_slots.set_aside != 0) [[unlikely]]
            if (const arrival is = take_aside(c, peer, channel, message, label); is != arrival::nothing)
                return is == arrival::all;
        for (;;) {
            if (c.in == nullptr && !connect(c, peer)) [[unlikely]] {
                if (!world_->has_left(peer) || connect(c, peer)) return false;
                throw_gone(peer, channel);
            }
            slot& s = c.in_at(c.next);
            const std::uint32_t sequence = s.sequence.load(std::memory_order_acquire);
            if (sequence != full(c.next)) {
                if (c.in->breaks_before(c.next)) [[unlikely]]
                    throw_abandoned(c.next, peer, channel);
                if (sequence != revoked(c.next)) [[likely]] {
                    if (world_->has_left(peer) && s.sequence.load(std::memory_order_acquire) == sequence)
                        [[unlikely]]
                        throw_gone(peer, channel);
                    return false;
                }
                set_aside(c, s, true);
                if (take_aside(c, peer, channel, message, label) == arrival::all) return true;
                continue;
            }
            c.hear(s);
            if (s.channel != channel) [[unlikely]] {
                set_aside(c, s, false);
            } else if (s.label != label) [[unlikely]] {
                throw_other_call(peer, channel, s.label, label);
            } else if (open_message(c, c.next, peer, message)) [[likely]] {
                c.held |= c.bit(c.next);
                c.pass(s);
                return true;
            } else if (s.kind == slot_kind::piped) {
                set_aside(c, s, false);
                return take_aside(c, peer, channel, message, label) == arrival::all;
            }
        }
    }

    void release(mailbox_message& message) {
        connection& c = to(message.peer_);
        if (message.aside_ != nullptr) [[unlikely]] {
            if (message.aside_->is == whereabouts::lent) c.let_go_of(message.ticket_);
            forget(c, *message.aside_);
            return;
        }
        c.let_go_of(message.ticket_);
    }
};

} // namespace tutti::detail
