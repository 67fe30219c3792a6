// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include <tutti/core/rank.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/common_memory.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_handle.hpp>
#include <tutti/transport/mailbox_rank.hpp>
#include <tutti/transport/pieces.hpp>
#include <tutti/transport/pipeline.hpp>

namespace tutti::detail {

/// Sends: into the slot of a message, into copies, by telling where it lies, or through a pipeline.
class mailbox_sender : public mailbox_rank {
public:
    using mailbox_rank::mailbox_rank;

    // Requires bytes.size() <= eager_bytes().
    bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> bytes,
                  const call_label& label) {
        connection& c = to(peer);
        if (c.out == nullptr) [[unlikely]]
            open(c, peer);
        if (!c.has_room(c.posted)) return false;
        c.deepen_behind(c.posted);
        slot& s = c.out_at(c.posted);
        s.channel = channel;
        s.length = static_cast<std::uint16_t>(bytes.size());
        s.kind = slot_kind::inside;
        s.label = label;
        if (bytes.size() == 8) // the commonest message of all: one store instead of a call
            std::memcpy(s.payload, bytes.data(), 8);
        else if (!bytes.empty())
            std::memcpy(s.payload, bytes.data(), bytes.size());
        c.publish(s, c.posted);
        ++c.posted;
        return true;
    }

    mailbox_handle start_send(rank_type peer, channel_type channel, gather_list data,
                              const call_label& label) {
        check_peer(peer);
        connection& c = to(peer);
        if (c.out == nullptr) open(c, peer);
        mailbox_handle h;
        h.kind_ = kind::unwritten;
        h.peer_ = peer;
        h.channel_ = channel;
        c.deepen_behind(c.posted);
        h.ticket_ = c.posted++; // taken now, even if the slot is not free yet: order is the order of starting
        h.data_ = data;
        h.label_ = label;
        write_or_give_up(c, h);
        return h;
    }

    bool test_send(mailbox_handle& h) {
        if (h.kind_ == kind::complete) return true;
        connection& c = to(h.peer_);
        if (h.kind_ == kind::unwritten) {
            write_or_give_up(c, h);
            if (h.kind_ == kind::unwritten && world_->has_left(h.peer_)
                && (!c.has_room(h.ticket_) || c.writer.is_busy()))
                throw_gone(h.peer_, h.channel_);
            return h.kind_ == kind::complete;
        }
        if (!has_gone(c, h)) {
            if (world_->has_left(h.peer_) && !has_gone(c, h)) throw_gone(h.peer_, h.channel_);
            return false;
        }
        h.kind_ = kind::complete;
        drop_copy(h);
        return true;
    }

    [[gnu::cold]] void abandon_send(mailbox_handle& h) {
        connection& c = to(h.peer_);
        const kind was = std::exchange(h.kind_, kind::complete);
        if (was == kind::unwritten && (c.has_room(h.ticket_) || is_called_off(h.channel_))) {
            c.give_up(h.ticket_, h.channel_);
        } else if (was == kind::unwritten) {
            // Its ticket stays empty for ever, so the receiver has to be told not to wait for it.
            if (!c.out->breaks_before(h.ticket_))
                c.out->broken_at.store(h.ticket_ + 1, std::memory_order_release);
            c.tell_peer();
        } else if (was == kind::piped) {
            if (c.writer.is_busy_with(h.ticket_)) stop_sending(c);
        } else if (was == kind::lent) {
            take_back(c, h);
            drop_copy(h);
        }
    }

    /// A rank that waits for something else sends all the same.
    void go_on_sending() noexcept {
        if (world_->own(rank_).piped == 0) [[likely]]
            return;
        for (rank_type r = 0; r < size_; ++r)
            if (to(r).writer.is_busy()) go_on_sending(to(r));
    }

private:
    using kind = mailbox_handle::kind;

    /// Longer ones, and those that there is no room for, go by a pipeline, of which the receiver makes one
    /// copy more.
    static constexpr std::size_t copied_whole = std::size_t{16} << 20;

    // Whether its memory is no longer needed, of one that was written.
    bool has_gone(connection& c, const mailbox_handle& h) noexcept {
        if (h.kind_ == kind::lent) return c.is_released(h.ticket_);
        if (c.writer.is_busy_with(h.ticket_)) go_on_sending(c);
        return !c.writer.is_busy_with(h.ticket_);
    }

    void open(connection& c, rank_type peer) {
        c.out = world_->open(rank_, peer);
        c.out_slots.begin(*c.out);
    }

    // Who exchanges messages waits for its peer in any case. Longer ones, read where they lie, take three
    // quarters of the time, unless who waits needs the core of the other.
    std::size_t most_copied(connection& c) const noexcept {
        constexpr std::size_t of_an_exchange = copied_bytes / 2;
        const bool waits_anyway = c.is_answered() && world_->in_one_process() && !world_->shares_cores();
        return waits_anyway ? of_an_exchange : copied_bytes;
    }

    // Where it cannot be written, its ticket is not to stand in the way of others.
    void write_or_give_up(connection& c, mailbox_handle& h) {
        try {
            write_if_free(c, h);
        } catch (...) {
            h.kind_ = kind::complete;
            c.give_up(h.ticket_, h.channel_);
            throw;
        }
    }

    void write_if_free(connection& c, mailbox_handle& h) {
        c.fill_gaps();
        if (!c.has_room(h.ticket_)) return;
        slot& s = c.out_at(h.ticket_);
        s.channel = h.channel_;
        s.label = h.label_;
        const std::size_t bytes = total_bytes(h.data_);
        std::size_t copied = 0;
        if (bytes <= slot::payload_bytes) {
            s.kind = slot_kind::inside;
            s.length = static_cast<std::uint16_t>(bytes);
            gather_into(s.payload, h.data_);
            h.kind_ = kind::complete;
        } else if (const auto copy = bytes <= most_copied(c) ? c.room_for_copy(h.ticket_) : std::nullopt;
                   copy.has_value()) {
            gather_into(c.out->copies[*copy], h.data_);
            s.kind = slot_kind::copied;
            s.length = static_cast<std::uint16_t>(bytes);
            s.store(*copy);
            h.kind_ = kind::complete;
            copied = bytes;
        } else {
            if (!write_long(c, s, h, bytes)) return;
        }
        c.publish(s, h.ticket_);
        // The receiver may be reading from the one that has been in use for longest.
        if (copied > 0 && c.knows_room_for_copy()) expect_write(c.out->copies[c.next_copy], copied);
    }

    void drop_copy(mailbox_handle& h) noexcept {
        if (h.copy_.empty()) return;
        if (h.copy_.data() == latest_.copy && --latest_.sends == 0) latest_ = {};
        world_->deallocate(const_cast<std::byte*>(h.copy_.data()));
        h.copy_ = {};
    }

    // False if it has to wait for another one.
    [[gnu::noinline]] bool write_long(connection& c, slot& s, mailbox_handle& h, std::size_t bytes) {
        if (!world_->in_one_process()) {
            if (name_where_it_lies(c, s, h, bytes)) return true;
            if (bytes <= world_->copied_ && copy_to_common(c, s, h, bytes)) return true;
            if (world_->copies_what_is_lent()) return copy_to_common(c, s, h, bytes) || pipe(c, s, h);
        }
        const bool one = h.data_.size() == 1;
        s.kind = slot_kind::lent;
        s.store(one ? lent_pieces{h.data_.front().data(), 0, bytes}
                    : lent_pieces{h.data_.data(), h.data_.size(), bytes});
        h.kind_ = kind::lent;
        return true;
    }

    // False if some of it lies where only this rank sees it, or if there is no room for a long list.
    bool name_where_it_lies(connection& c, slot& s, mailbox_handle& h, std::size_t bytes) {
        const std::optional<std::size_t> many = world_->common().count(h.data_);
        if (!many || *many > shared_list::most) return false;
        if (h.data_.size() == 1) {
            s.kind = slot_kind::shared;
            s.store(shared_piece{*world_->common().offset_of(h.data_.front()), bytes});
            h.kind_ = kind::lent;
            return true;
        }
        shared_list list{*many, {}};
        std::byte* to = reinterpret_cast<std::byte*>(list.inside);
        if (*many > shared_list::most_inside) {
            release_orphans(c);
            const std::size_t length = *many * sizeof(shared_piece);
            to = world_->allocate(length);
            if (to == nullptr) return false;
            h.copy_ = {to, length};
            list.inside[0] = {*world_->common().offset_of(h.copy_), length};
        }
        world_->common().name(h.data_, to);
        s.kind = slot_kind::listed;
        s.store(list);
        h.kind_ = kind::lent;
        return true;
    }

    // One that is not very long, if there is room. To several ranks out of the same memory: once.
    bool copy_to_common(connection& c, slot& s, mailbox_handle& h, std::size_t bytes) {
        if (bytes > copied_whole) return false;
        release_orphans(c);
        const std::byte* const from = h.data_.front().data();
        const bool in_one = h.data_.size() == 1;
        if (in_one && latest_.sends > 0 && from == latest_.from && bytes == latest_.bytes) {
            world_->share(latest_.copy);
            ++latest_.sends;
            h.copy_ = {latest_.copy, bytes};
        } else {
            std::byte* const copy = world_->allocate(bytes);
            if (copy == nullptr) return false;
            gather_into(copy, h.data_);
            h.copy_ = {copy, bytes};
            if (in_one) latest_ = {from, bytes, copy, 1};
        }
        s.kind = slot_kind::shared;
        s.store(shared_piece{*world_->common().offset_of(h.copy_), bytes});
        h.kind_ = kind::lent;
        return true;
    }

    // --- through a pipeline ---

    // False if another message is in it.
    bool pipe(connection& c, slot& s, mailbox_handle& h) {
        if (c.writer.is_busy()) go_on_sending(c);
        // The receiver gets to this one when it has seen those before, so none of them may have to wait for
        // it.
        if (c.writer.is_busy() || !c.all_written_before(h.ticket_)) return false;
        pipeline& box = *world_->pipe(rank_, h.peer_);
        s.kind = slot_kind::piped;
        s.store(c.writer.begin(box, h.ticket_, h.data_));
        c.writer.write();
        if (c.writer.is_busy()) ++world_->own(rank_).piped;
        h.kind_ = kind::piped;
        return true;
    }

    void go_on_sending(connection& c) noexcept {
        if (c.is_released(c.writer.ticket()))
            c.writer.end(); // nobody waits for it any more
        else if (c.writer.write())
            c.tell_peer();
        if (!c.writer.is_busy()) --world_->own(rank_).piped;
    }
    void stop_sending(connection& c) noexcept {
        const ticket_type t = c.writer.ticket();
        c.writer.end();
        --world_->own(rank_).piped;
        std::atomic<std::uint32_t>& sequence = c.out_at(t).sequence;
        std::uint32_t now = full(t);
        if (!sequence.compare_exchange_strong(now, revoked(t), std::memory_order_acq_rel) && now == taken(t))
            sequence.compare_exchange_strong(now, revoked(t), std::memory_order_acq_rel);
        c.tell_peer();
    }

    void release_orphans(connection& c) {
        for (std::size_t i = c.orphans.size(); i-- > 0;)
            if (c.is_released(c.orphans[i].ticket)) {
                world_->deallocate(c.orphans[i].copy);
                c.orphans.erase(i);
            }
    }

    void take_back(connection& c, mailbox_handle& h) {
        if (c.is_released(h.ticket_)) return;
        slot& s = c.out_at(h.ticket_);
        std::uint32_t expected = full(h.ticket_);
        if (s.sequence.compare_exchange_strong(expected, revoked(h.ticket_), std::memory_order_acq_rel)) {
            c.tell_peer();
            return;
        }
        // The receiver is reading. Another process need not be waited for, which may be stopped: it reads a
        // copy, or looks behind its reading whether the message is still there.
        expected = taken(h.ticket_);
        if (!h.copy_.empty() && s.kind == slot_kind::shared) {
            c.orphans.push_back({h.ticket_, const_cast<std::byte*>(h.copy_.data())});
            if (h.copy_.data() == latest_.copy) latest_ = {}; // the caller may write to what it is a copy of
            h.copy_ = {};
            return;
        }
        if (!world_->in_one_process() && s.kind == slot_kind::lent
            && s.sequence.compare_exchange_strong(expected, revoked(h.ticket_), std::memory_order_acq_rel))
            return;
        // A rank that has left does not read any more.
        for (std::uint32_t turns = 0; !c.is_released(h.ticket_) && !world_->has_left(h.peer_); ++turns) {
            world_->ladder_.wait(turns, world_->shared(rank_).bell);
            if (world_->ladder_.is_late(turns)) world_->look_after();
        }
    }

    // The latest copy in common memory. While one of those sends is open nobody writes to what it is of.
    struct shared_copy {
        const std::byte* from = nullptr;
        std::size_t bytes = 0;
        std::byte* copy = nullptr;
        std::size_t sends = 0;
    };
    shared_copy latest_;
};

} // namespace tutti::detail
