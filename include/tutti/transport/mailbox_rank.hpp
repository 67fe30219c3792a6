// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_world.hpp>
#include <tutti/transport/message_aside.hpp>

namespace tutti::detail {

/// What one rank knows of its world, and how its calls fail there: the first of the layers that make up a
/// mailbox_transport.
class mailbox_rank {
public:
    mailbox_rank(mailbox_world& group, rank_type rank)
        : world_(&group), rank_(tutti::checked({.rank = rank, .size = group.size(), .root = 0}).rank),
          size_(group.size()), connections_(group.own(rank_).connections.data()),
          calls_(&group.shared(rank_).calls) {
        if (connections_ == nullptr)
            throw error(sentence({"tutti: this process has not joined as rank ", rank}));
    }

    connection& to(rank_type peer) noexcept { return connections_[static_cast<std::size_t>(peer)]; }

    void check_peer(rank_type peer) const {
        if (peer < 0 || peer >= size_) throw_argument_below("peer", peer, size_);
    }

    static void forget(connection& c, message_aside& one) noexcept {
        c.aside.remove(one);
        --c.in_slots.set_aside;
    }

    /// This rank takes no part in a call.
    void call_off(channel_type channel, const std::string& why) {
        world_->call_off(rank_, channel, why);
        forget_those_aside();
    }

    bool is_called_off(channel_type channel) const noexcept {
        return world_->called_off().count() != 0 && world_->called_off().has(channel);
    }

    // Messages that were set aside before their call was called off.
    void forget_those_aside() {
        for (rank_type r = 0; r < size_; ++r) {
            connection& c = to(r);
            for (message_aside* one = c.aside.first(); one != nullptr;) {
                message_aside* const next = one->next;
                if (!one->held && is_called_off(one->channel)) {
                    if (one == c.arriving) c.arriving = nullptr;
                    // Unread: its sender may take it back all the same.
                    if (one->is == message_aside::whereabouts::lent
                        || one->is == message_aside::whereabouts::arriving)
                        c.let_go_of(one->ticket);
                    forget(c, *one);
                }
                one = next;
            }
        }
    }

    [[gnu::cold]] void throw_if_called_off(channel_type channel) {
        const auto found = world_->called_off().find(channel);
        if (!found.exists()) return;
        forget_those_aside();
        if (found.by == rank_) throw transport_error(found.why);
        throw_struck(found.why, found.by);
    }

    // Where ranks make different calls, both may wait for a message that tells, and none will come.
    [[gnu::cold]] void compare_calls(channel_type channel, const call_label& mine) {
        call_label theirs;
        for (rank_type r = 0; r < size_; ++r)
            if (world_->shared(r).calls.find(channel, theirs) && theirs != mine)
                throw_other_call(r, channel, theirs, mine);
    }

    [[noreturn, gnu::cold]] void throw_other_call(rank_type peer, channel_type channel,
                                                  const call_label& theirs, const call_label& mine) {
        const std::string why = different_calls(peer, theirs, rank_, mine);
        call_off(channel, why);
        throw transport_error(why, peer);
    }

    // The peer's last act was before it left, so what is not here now will never come. Those who wait for
    // this rank wait in vain, too.
    [[noreturn]] void throw_gone(rank_type peer, channel_type channel) {
        throw_if_called_off(channel);
        if (world_->failed()) throw_failed();
        const std::string why = sentence({"rank ", rank_, " waits for rank ", peer,
                                          ", which has returned: do all ranks make the same calls?"});
        call_off(channel, why);
        throw transport_error(why, peer);
    }

    // An error that has its cause on another rank: for_each_rank reports the cause instead.
    [[noreturn]] void throw_struck(const std::string& why, rank_type peer, bool lost = false) {
        world_->own(rank_).struck = true;
        throw transport_error(why, peer, lost);
    }
    [[noreturn]] void throw_failed() {
        throw_struck(world_->failure(), world_->failed_rank(), world_->lost_rank());
    }

    [[noreturn]] void throw_abandoned(ticket_type ticket, rank_type peer, channel_type channel) {
        throw_if_called_off(channel); // its sender has heard of that first
        if (world_->failed()) throw_failed();
        throw_struck(sentence({"message ", ticket, " from rank ", peer, " was abandoned by its sender"}),
                     peer);
    }

protected:
    mailbox_world* world_;
    rank_type rank_;
    rank_type size_;
    connection* connections_;
    begun_calls* calls_;
};

} // namespace tutti::detail
