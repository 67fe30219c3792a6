// SPDX-License-Identifier: BSL-1.0
#pragma once

// longer than 400 lines: one class, whose every call looks at the same slots

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/mailbox_world.hpp>
#include <tutti/transport/message_aside.hpp>
#include <tutti/transport/pieces.hpp>
#include <tutti/transport/pipeline.hpp>

namespace tutti {

/// The endpoint of one rank among those that share memory: threads of this process, or processes.
///
/// Messages of up to eager_bytes() travel inside the mailbox and their sends are complete at once. So are
/// those of up to copied_bytes(), while there is room for copies. Of others only the address travels: the
/// receiver reads them in the sender's memory, and the send completes when the receiver has let go. Either
/// take() or started receives should be used for a channel, not both.
class mailbox_transport {
public:
    class handle {
        friend class mailbox_transport;
        enum class kind : std::uint8_t { complete, unwritten, lent, piped, receive };

        kind kind_ = kind::complete;
        rank_type peer_ = no_rank;
        channel_type channel_ = 0;
        detail::ticket_type ticket_ = 0;
        gather_list data_{};
        call_label label_{};
        detail::connection::receive* receive_ = nullptr;
        std::span<const std::byte> copy_{}; // in common memory: of data_, or a list of where that lies
    };

    /// A message in the mailbox or in the sender's memory.
    class incoming {
    public:
        /// None of one that is away.
        gather_list pieces() const noexcept {
            return list_.data() != nullptr ? list_ : gather_list(&one_, 1);
        }
        /// In the memory of another process: see fetching_transport.
        bool is_away() const noexcept { return away_; }
        std::size_t bytes() const noexcept { return away_ ? lent_.bytes : detail::total_bytes(pieces()); }

    private:
        friend class mailbox_transport;
        std::span<const std::byte> one_{};
        gather_list list_{};
        bool away_ = false;
        detail::lent_pieces lent_; // if it is away
        detail::ticket_type ticket_ = 0;
        detail::message_aside* aside_ = nullptr;
        rank_type peer_ = no_rank;
    };

    mailbox_transport(mailbox_world& group, rank_type rank)
        : world_(&group), rank_(checked({.rank = rank, .size = group.size(), .root = 0}).rank),
          size_(group.size()), connections_(group.own(rank_).connections.get()),
          calls_(&group.shared(rank_).calls) {
        if (connections_ == nullptr)
            throw error(detail::sentence({"tutti: this process has not joined as rank ", rank}));
    }

    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return size_; }
    bool shares_cores() const noexcept { return world_->shares_cores(); }
    std::size_t depth() const noexcept { return world_->depth(); }

    static constexpr std::size_t eager_bytes() noexcept { return detail::slot::payload_bytes; }
    static constexpr std::size_t copied_bytes() noexcept { return detail::copied_bytes; }
    /// At least; depth() is what it is in this world.
    static constexpr std::size_t eager_depth() noexcept { return detail::least_depth; }

    // Requires bytes.size() <= eager_bytes().
    bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> bytes,
                  const call_label& label = {}) {
        detail::connection& c = to(peer);
        if (c.out == nullptr) [[unlikely]]
            open(c, peer);
        if (!c.has_room(c.posted)) return false;
        c.deepen_behind(c.posted);
        detail::slot& s = c.out_at(c.posted);
        s.channel = channel;
        s.length = static_cast<std::uint16_t>(bytes.size());
        s.kind = detail::slot_kind::inside;
        s.label = label;
        if (bytes.size() == 8) // the commonest message of all: one store instead of a call
            std::memcpy(s.payload, bytes.data(), 8);
        else if (!bytes.empty())
            std::memcpy(s.payload, bytes.data(), bytes.size());
        c.publish(s, c.posted);
        ++c.posted;
        return true;
    }

    bool take(rank_type peer, channel_type channel, incoming& message, const call_label& label = {}) {
        detail::connection& c = to(peer);
        if (c.in_slots.set_aside != 0) [[unlikely]]
            if (const arrival is = take_aside(c, peer, channel, message, label); is != arrival::nothing)
                return is == arrival::all;
        for (;;) {
            if (c.in == nullptr && !connect(c, peer)) [[unlikely]] {
                if (!world_->has_left(peer) || connect(c, peer)) return false;
                throw_gone(peer, channel);
            }
            detail::slot& s = c.in_at(c.next);
            const std::uint32_t sequence = s.sequence.load(std::memory_order_acquire);
            if (sequence != detail::full(c.next)) {
                if (c.in->breaks_before(c.next)) [[unlikely]]
                    throw_abandoned(c.next, peer, channel);
                if (sequence != detail::revoked(c.next)) [[likely]] {
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
            } else if (s.kind == detail::slot_kind::piped) {
                set_aside(c, s, false);
                return take_aside(c, peer, channel, message, label) == arrival::all;
            }
        }
    }

    void release(incoming& message) {
        detail::connection& c = to(message.peer_);
        if (message.aside_ != nullptr) [[unlikely]] {
            if (message.aside_->is == whereabouts::lent) c.let_go_of(message.ticket_);
            forget(c, c.aside.find(message.aside_));
            return;
        }
        c.let_go_of(message.ticket_);
    }

    void fetch(const incoming& message, std::size_t offset, std::span<std::byte> into) {
        world_->fetch(message.peer_, message.lent_, offset, into);
        // Its sender may have given up meanwhile, and written there.
        const detail::slot& s = to(message.peer_).in_at(message.ticket_);
        if (s.sequence.load(std::memory_order_acquire) != detail::taken(message.ticket_))
            throw_abandoned(message.ticket_, message.peer_, s.channel);
    }

    handle start_send(rank_type peer, channel_type channel, gather_list data, const call_label& label = {}) {
        check_peer(peer);
        detail::connection& c = to(peer);
        if (c.out == nullptr) open(c, peer);
        handle h;
        h.kind_ = handle::kind::unwritten;
        h.peer_ = peer;
        h.channel_ = channel;
        c.deepen_behind(c.posted);
        h.ticket_ = c.posted++; // taken now, even if the slot is not free yet: order is the order of starting
        h.data_ = data;
        h.label_ = label;
        write_or_give_up(c, h);
        return h;
    }

    handle start_recv(rank_type peer, channel_type channel, scatter_list into, const call_label& label = {}) {
        check_peer(peer);
        detail::connection& c = to(peer);
        c.receives.push_back({channel, into, label, false, {}});
        handle h;
        h.kind_ = handle::kind::receive;
        h.peer_ = peer;
        h.channel_ = channel;
        h.receive_ = &c.receives.back();
        return h;
    }

    bool test(handle& h) {
        switch (h.kind_) {
        case handle::kind::complete: return true;
        case handle::kind::unwritten: {
            detail::connection& c = to(h.peer_);
            write_or_give_up(c, h);
            if (h.kind_ == handle::kind::unwritten && world_->has_left(h.peer_)
                && (!c.has_room(h.ticket_) || c.writer.is_busy()))
                throw_gone(h.peer_, h.channel_);
            return h.kind_ == handle::kind::complete;
        }
        case handle::kind::lent: {
            detail::connection& c = to(h.peer_);
            if (!c.is_released(h.ticket_)) {
                if (world_->has_left(h.peer_) && !c.is_released(h.ticket_)) throw_gone(h.peer_, h.channel_);
                return false;
            }
            h.kind_ = handle::kind::complete;
            drop_copy(h);
            return true;
        }
        case handle::kind::piped: {
            detail::connection& c = to(h.peer_);
            if (c.writer.is_busy_with(h.ticket_)) go_on_sending(c);
            if (c.writer.is_busy_with(h.ticket_)) {
                if (world_->has_left(h.peer_)) throw_gone(h.peer_, h.channel_);
                return false;
            }
            h.kind_ = handle::kind::complete;
            return true;
        }
        case handle::kind::receive: return test_receive(h);
        }
        return true;
    }

    void idle(std::uint32_t turns) {
        if (world_->failed()) [[unlikely]]
            throw_failed();
        if (world_->own(rank_).piped != 0) [[unlikely]]
            go_on_sending();
        detail::doorbell& bell = world_->shared(rank_).bell;
        detail::attendance& spot = world_->own(rank_).spot;
        // The core that others get is best used for this one, too.
        if (shares_cores() && world_->in_one_process() && spot.can_serve_others()) {
            spot.leave_for_a_moment();
            world_->ladder_.wait(turns, bell);
            spot.come_back();
        } else {
            world_->ladder_.wait(turns, bell);
        }
        if (world_->ladder_.is_late(turns)) [[unlikely]]
            world_->look_after();
    }

    /// Memory that every rank of the world can read where it lies: messages out of it are never copied. Null
    /// if there is no more of it. By the thread of this rank.
    std::byte* allocate(std::size_t bytes) { return world_->allocate(bytes); }
    void deallocate(std::byte* what) noexcept { world_->deallocate(what); }

    /// While this rank is away, others may run its errands.
    void add(errand& what) { world_->own(rank_).spot.add(what); }
    void remove(errand& what) noexcept { world_->own(rank_).spot.remove(what); }
    void leave(left_to whom) noexcept {
        if (away_) return;
        away_ = true;
        if (!world_->in_one_process()) whom = left_to::thread; // whoever brings something has other memory
        if (whom == left_to::thread) world_->start_thread();
        detail::attendance& spot = world_->own(rank_).spot;
        spot.leave(whom);
        spot.try_run(whom); // what came just before nobody has been told of
    }
    void come_back() noexcept {
        if (!away_) [[likely]]
            return;
        world_->own(rank_).spot.come_back();
        away_ = false;
    }
    static void run_due() noexcept { detail::attendance::run_due(); }

    /// This rank goes on no more: all that wait get an error.
    void fail(const std::string& why) { world_->fail(rank_, why); }

    /// This rank takes no part in a call: all that wait for it there get an error, and the world goes on.
    void call_off(channel_type channel, const std::string& why) {
        world_->call_off(rank_, channel, why);
        forget_those_aside();
    }
    void begin_call(channel_type channel, const call_label& label) noexcept { calls_->add(channel, label); }
    void check_call(channel_type channel, const call_label& label, std::uint32_t looks) {
        if (world_->failed()) [[unlikely]]
            throw_failed();
        if (world_->called_off().count() != 0) [[unlikely]]
            throw_if_called_off(channel);
        if (looks % looks_between_comparing == looks_between_comparing - 1) {
            world_->look_after();
            compare_calls(channel, label);
        }
    }

    /// Where ranks share cores, the one that is waited for may need this one's.
    void yield() {
        if (shares_cores()) std::this_thread::yield();
    }

    /// Ends a handle. A message that its receiver is reading just now is waited for, so whoever holds
    /// messages releases them before abandoning anything: two ranks that hold each other's would wait for
    /// ever.
    void abandon(handle& h) {
        const handle::kind kind = std::exchange(h.kind_, handle::kind::complete);
        if (kind == handle::kind::complete) return;
        detail::connection& c = to(h.peer_);
        if (kind == handle::kind::receive) {
            c.receives.remove_if([&](const detail::connection::receive& r) { return &r == h.receive_; });
        } else if (kind == handle::kind::unwritten && (c.has_room(h.ticket_) || is_called_off(h.channel_))) {
            c.give_up(h.ticket_, h.channel_);
        } else if (kind == handle::kind::unwritten) {
            // Its ticket stays empty for ever, so the receiver has to be told not to wait for it.
            if (!c.out->breaks_before(h.ticket_))
                c.out->broken_at.store(h.ticket_ + 1, std::memory_order_release);
            c.tell_peer();
        } else if (kind == handle::kind::piped) {
            if (c.writer.is_busy_with(h.ticket_)) stop_sending(c);
        } else {
            take_back(c, h);
            drop_copy(h);
        }
    }

private:
    using whereabouts = detail::message_aside::whereabouts;
    enum class arrival : std::uint8_t { nothing, a_part, all };

    static constexpr std::uint32_t looks_between_comparing = 1024;
    /// Longer ones, and those that there is no room for, go by a pipeline, of which the receiver makes one
    /// copy more.
    static constexpr std::size_t copied_whole = std::size_t{16} << 20;

    detail::connection& to(rank_type peer) noexcept { return connections_[static_cast<std::size_t>(peer)]; }

    void check_peer(rank_type peer) const {
        if (peer < 0 || peer >= size_) detail::throw_argument_below("peer", peer, size_);
    }

    // --- sending ---

    void open(detail::connection& c, rank_type peer) {
        c.out = world_->open(rank_, peer);
        c.out_slots.begin(*c.out);
    }

    // Where it cannot be written, its ticket is not to stand in the way of others.
    void write_or_give_up(detail::connection& c, handle& h) {
        try {
            write_if_free(c, h);
        } catch (...) {
            h.kind_ = handle::kind::complete;
            c.give_up(h.ticket_, h.channel_);
            throw;
        }
    }

    void write_if_free(detail::connection& c, handle& h) {
        c.fill_gaps();
        if (!c.has_room(h.ticket_)) return;
        detail::slot& s = c.out_at(h.ticket_);
        s.channel = h.channel_;
        s.label = h.label_;
        const std::size_t bytes = detail::total_bytes(h.data_);
        if (bytes <= eager_bytes()) {
            s.kind = detail::slot_kind::inside;
            s.length = static_cast<std::uint16_t>(bytes);
            detail::gather_into(s.payload, h.data_);
            h.kind_ = handle::kind::complete;
        } else if (const auto copy = bytes <= copied_bytes() ? c.room_for_copy(h.ticket_) : std::nullopt;
                   copy.has_value()) {
            detail::gather_into(c.out->copies[*copy], h.data_);
            s.kind = detail::slot_kind::copied;
            s.length = static_cast<std::uint16_t>(bytes);
            s.store(*copy);
            h.kind_ = handle::kind::complete;
        } else {
            if (!write_long(c, s, h, bytes)) return;
        }
        c.publish(s, h.ticket_);
    }

    void drop_copy(handle& h) noexcept {
        if (h.copy_.empty()) return;
        deallocate(const_cast<std::byte*>(h.copy_.data()));
        h.copy_ = {};
    }
    // False if it has to wait for another one.
    bool write_long(detail::connection& c, detail::slot& s, handle& h, std::size_t bytes) {
        if (!world_->in_one_process()) {
            if (name_where_it_lies(c, s, h, bytes)) return true;
            if (world_->copies_what_is_lent()) return copy_to_common(c, s, h, bytes) || pipe(c, s, h);
        }
        const bool one = h.data_.size() == 1;
        s.kind = detail::slot_kind::lent;
        s.store(one ? detail::lent_pieces{h.data_.front().data(), 0, bytes}
                    : detail::lent_pieces{h.data_.data(), h.data_.size(), bytes});
        h.kind_ = handle::kind::lent;
        return true;
    }

    // False if some of it lies where only this rank sees it, or if there is no room for a long list.
    bool name_where_it_lies(detail::connection& c, detail::slot& s, handle& h, std::size_t bytes) {
        const std::optional<std::size_t> many = world_->common().count(h.data_);
        if (!many || *many > detail::shared_list::most) return false;
        if (h.data_.size() == 1) {
            s.kind = detail::slot_kind::shared;
            s.store(detail::shared_piece{*world_->common().offset_of(h.data_.front()), bytes});
            h.kind_ = handle::kind::lent;
            return true;
        }
        detail::shared_list list{*many, {}};
        std::byte* to = reinterpret_cast<std::byte*>(list.inside);
        if (*many > detail::shared_list::most_inside) {
            release_orphans(c);
            const std::size_t length = *many * sizeof(detail::shared_piece);
            to = allocate(length);
            if (to == nullptr) return false;
            h.copy_ = {to, length};
            list.inside[0] = {*world_->common().offset_of(h.copy_), length};
        }
        world_->common().name(h.data_, to);
        s.kind = detail::slot_kind::listed;
        s.store(list);
        h.kind_ = handle::kind::lent;
        return true;
    }

    // One that is not very long, if there is room.
    bool copy_to_common(detail::connection& c, detail::slot& s, handle& h, std::size_t bytes) {
        if (bytes > copied_whole) return false;
        release_orphans(c);
        std::byte* const copy = allocate(bytes);
        if (copy == nullptr) return false;
        detail::gather_into(copy, h.data_);
        h.copy_ = {copy, bytes};
        s.kind = detail::slot_kind::shared;
        s.store(detail::shared_piece{*world_->common().offset_of(h.copy_), bytes});
        h.kind_ = handle::kind::lent;
        return true;
    }

    // --- through a pipeline ---

    // False if another message is in it.
    bool pipe(detail::connection& c, detail::slot& s, handle& h) {
        if (c.writer.is_busy()) go_on_sending(c);
        // The receiver gets to this one when it has seen those before, so none of them may have to wait for
        // it.
        if (c.writer.is_busy() || !c.all_written_before(h.ticket_)) return false;
        detail::pipeline& box = *world_->pipe(rank_, h.peer_);
        s.kind = detail::slot_kind::piped;
        s.store(c.writer.begin(box, h.ticket_, h.data_));
        c.writer.write();
        if (c.writer.is_busy()) ++world_->own(rank_).piped;
        h.kind_ = handle::kind::piped;
        return true;
    }

    void go_on_sending(detail::connection& c) noexcept {
        if (c.is_released(c.writer.ticket()))
            c.writer.end(); // nobody waits for it any more
        else if (c.writer.write())
            c.tell_peer();
        if (!c.writer.is_busy()) --world_->own(rank_).piped;
    }
    // A rank that waits for something else sends all the same.
    [[gnu::noinline]] void go_on_sending() noexcept {
        for (rank_type r = 0; r < size_; ++r)
            if (to(r).writer.is_busy()) go_on_sending(to(r));
    }

    void stop_sending(detail::connection& c) noexcept {
        const detail::ticket_type t = c.writer.ticket();
        c.writer.end();
        --world_->own(rank_).piped;
        std::atomic<std::uint32_t>& sequence = c.out_at(t).sequence;
        std::uint32_t now = detail::full(t);
        if (!sequence.compare_exchange_strong(now, detail::revoked(t), std::memory_order_acq_rel)
            && now == detail::taken(t))
            sequence.compare_exchange_strong(now, detail::revoked(t), std::memory_order_acq_rel);
        c.tell_peer();
    }

    // Parts of a message that have come; it may be over then, or revoked.
    void go_on_receiving(detail::connection& c) {
        detail::message_aside& one = *c.arriving;
        const std::atomic<std::uint32_t>& sequence = c.in_at(one.ticket).sequence;
        bool moved = false;
        while (c.reader.left() > 0) {
            const std::span<const std::byte> part = c.reader.next();
            if (sequence.load(std::memory_order_acquire) != detail::taken(one.ticket)) {
                one.is = whereabouts::revoked;
                break;
            }
            if (part.empty()) {
                if (c.reader.is_misled()) throw_no_order(c.peer_rank);
                if (moved) c.tell_peer();
                return;
            }
            one.append(part, one.content().size() + c.reader.left());
            c.reader.pass();
            moved = true;
        }
        if (one.is == whereabouts::arriving) one.is = whereabouts::here;
        c.arriving = nullptr;
        c.let_go_of(one.ticket);
    }

    whereabouts begin_receiving(detail::connection& c, detail::slot& s, detail::message_aside& one) {
        std::uint32_t expected = detail::full(one.ticket);
        if (!s.sequence.compare_exchange_strong(expected, detail::taken(one.ticket),
                                                std::memory_order_acq_rel))
            return whereabouts::revoked;
        c.reader.begin(*world_->pipe(c.peer_rank, rank_), s.load<detail::piped_message>());
        c.arriving = &one;
        return whereabouts::arriving;
    }

    void release_orphans(detail::connection& c) {
        std::erase_if(c.orphans, [&](const detail::connection::orphan& one) {
            if (!c.is_released(one.ticket)) return false;
            deallocate(one.copy);
            return true;
        });
    }

    void take_back(detail::connection& c, handle& h) {
        if (c.is_released(h.ticket_)) return;
        detail::slot& s = c.out_at(h.ticket_);
        std::uint32_t expected = detail::full(h.ticket_);
        if (s.sequence.compare_exchange_strong(expected, detail::revoked(h.ticket_),
                                               std::memory_order_acq_rel)) {
            c.tell_peer();
            return;
        }
        // The receiver is reading. Another process need not be waited for, which may be stopped: it reads a
        // copy, or looks behind its reading whether the message is still there.
        expected = detail::taken(h.ticket_);
        if (!h.copy_.empty() && s.kind == detail::slot_kind::shared) {
            c.orphans.push_back({h.ticket_, const_cast<std::byte*>(h.copy_.data())});
            h.copy_ = {};
            return;
        }
        if (!world_->in_one_process() && s.kind == detail::slot_kind::lent
            && s.sequence.compare_exchange_strong(expected, detail::revoked(h.ticket_),
                                                  std::memory_order_acq_rel))
            return;
        // A rank that has left does not read any more.
        for (std::uint32_t turns = 0; !c.is_released(h.ticket_) && !world_->has_left(h.peer_); ++turns) {
            world_->ladder_.wait(turns, world_->shared(rank_).bell);
            if (world_->ladder_.is_late(turns)) world_->look_after();
        }
    }

    // --- receiving ---

    bool connect(detail::connection& c, rank_type peer) noexcept {
        c.in = world_->find(peer, rank_);
        if (c.in == nullptr) return false;
        c.in_slots.begin(*c.in);
        return true;
    }

    // Hands out the message of a ticket, which was full; false if the sender has just taken it back, or if it
    // comes in parts.
    bool open_message(detail::connection& c, detail::ticket_type ticket, rank_type peer, incoming& message) {
        detail::slot& s = c.in_at(ticket);
        message.peer_ = peer;
        message.ticket_ = ticket;
        message.aside_ = nullptr;
        message.list_ = {};
        message.away_ = false;
        if (s.kind == detail::slot_kind::inside) [[likely]] {
            message.one_ = {s.payload, std::min<std::size_t>(s.length, detail::slot::payload_bytes)};
            return true;
        }
        if (s.kind == detail::slot_kind::copied) {
            message.one_ = {c.in->copies[s.load<std::size_t>() % detail::copies_at_once],
                            std::min<std::size_t>(s.length, detail::copied_bytes)};
            return true;
        }
        if (s.kind == detail::slot_kind::piped) return false;
        std::uint32_t expected = detail::full(ticket);
        if (!s.sequence.compare_exchange_strong(expected, detail::taken(ticket), std::memory_order_acq_rel))
            return false;
        if (s.kind == detail::slot_kind::shared)
            message.one_ = world_->common().at(s.load<detail::shared_piece>(), eager_bytes() + 1, peer);
        else if (s.kind == detail::slot_kind::listed)
            read_list(c, ticket, s.load<detail::shared_list>(), message);
        else
            read_where_it_lies(s.load<detail::lent_pieces>(), message);
        return true;
    }
    void read_list(detail::connection& c, detail::ticket_type ticket, const detail::shared_list& list,
                   incoming& message) {
        auto& pieces = c.pieces_of(ticket);
        world_->common().read(list, eager_bytes() + 1, message.peer_, pieces);
        message.list_ = pieces;
    }
    void read_where_it_lies(const detail::lent_pieces& lent, incoming& message) {
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
    // --- messages that are put aside ---

    // Puts the next message aside, so that those behind it can be seen, or parts of it. One that lies in the
    // sender's memory stays there, and the sender may still take it back.
    // One that nobody waits for any more is left there, unread.
    void set_aside(detail::connection& c, detail::slot& s, bool is_revoked) {
        if (is_called_off(s.channel)) [[unlikely]] {
            c.pass(s);
            c.let_go();
            return;
        }
        const detail::slot_kind kind = s.kind;
        if (kind == detail::slot_kind::piped && !is_revoked && c.arriving != nullptr) end_arrival(c);
        detail::message_aside& one = c.aside.add();
        ++c.in_slots.set_aside;
        one.channel = s.channel;
        one.held = false;
        one.label = s.label;
        one.ticket = c.next;
        if (is_revoked) {
            one.is = whereabouts::revoked;
        } else if (kind == detail::slot_kind::inside) {
            const std::size_t bytes = std::min<std::size_t>(s.length, detail::slot::payload_bytes);
            one.append({s.payload, bytes}, bytes);
            one.is = whereabouts::here;
        } else {
            one.is = kind == detail::slot_kind::piped ? begin_receiving(c, s, one) : whereabouts::lent;
        }
        c.pass(s);
        if (one.is == whereabouts::lent || one.is == whereabouts::arriving) {
            c.held |= c.bit(one.ticket);
            make_room(c);
        } else {
            c.let_go();
        }
    }

    // Another one begins: that has all been sent, or been taken back.
    void end_arrival(detail::connection& c) {
        go_on_receiving(c);
        if (c.arriving != nullptr) throw_no_order(c.peer_rank);
    }

    [[noreturn, gnu::cold]] static void throw_no_order(rank_type peer) {
        throw transport_error(
            detail::sentence({"the parts of a long message from rank ", peer, " are out of order"}), peer);
    }

    // What is put aside may stop no others: with half of the ring behind the oldest one, that one is copied.
    void make_room(detail::connection& c) {
        for (detail::message_aside& one : c.aside) {
            if (c.next - c.consumed <= c.in_slots.depth / 2) return;
            if (one.is != whereabouts::lent || one.held) continue;
            incoming message;
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
    bool copy_aside(detail::connection& c, detail::message_aside& one, const incoming& message) {
        try {
            const std::size_t bytes = message.bytes();
            for (const auto& piece : message.pieces()) one.append(piece, bytes); // none of one that is away
            std::vector<std::byte> part;
            while (one.content().size() < bytes) {
                const std::size_t done = one.content().size();
                part.resize(std::min(std::size_t{1} << 20, bytes - done));
                fetch(message, done, part);
                one.append(part, bytes);
            }
            return true;
        } catch (const std::exception&) {
            one.clear();
            std::uint32_t expected = detail::taken(one.ticket);
            c.in_at(one.ticket)
                .sequence.compare_exchange_strong(expected, detail::full(one.ticket),
                                                  std::memory_order_acq_rel);
            return false;
        }
    }

    static void forget(detail::connection& c, detail::messages_aside::iterator one) {
        c.aside.remove(one);
        --c.in_slots.set_aside;
    }

    arrival take_aside(detail::connection& c, rank_type peer, channel_type channel, incoming& message,
                       const call_label& label) {
        if (c.arriving != nullptr) go_on_receiving(c);
        for (auto one = c.aside.begin(); one != c.aside.end(); ++one) {
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
                const detail::ticket_type ticket = one->ticket;
                forget(c, one);
                throw_abandoned(ticket, peer, channel);
            }
            if (one->is == whereabouts::here) {
                message.one_ = one->content();
                message.list_ = {};
                message.away_ = false;
            }
            one->held = true;
            message.peer_ = peer;
            message.aside_ = &*one;
            return arrival::all;
        }
        make_room(c);
        return arrival::nothing;
    }

    [[noreturn]] void throw_abandoned(detail::ticket_type ticket, rank_type peer, channel_type channel) {
        throw_if_called_off(channel); // its sender has heard of that first
        if (world_->failed()) throw_failed();
        throw_struck(
            detail::sentence({"message ", ticket, " from rank ", peer, " was abandoned by its sender"}),
            peer);
    }

    // --- receives that were started ---

    bool test_receive(handle& h) {
        detail::connection& c = to(h.peer_);
        detail::connection::receive& mine = *h.receive_;
        // Messages go to the receives of their channel in the order of starting, whichever of them is tested.
        for (detail::connection::receive& r : c.receives) {
            if (mine.done) break;
            if (r.channel == h.channel_ && !r.done && !fill(h.peer_, r)) break;
        }
        if (!mine.done) return false;
        const std::optional<transport_error> failure = std::move(mine.failure);
        abandon(h);
        if (failure.has_value()) throw transport_error(*failure);
        return true;
    }

    bool fill(rank_type peer, detail::connection::receive& r) {
        incoming message;
        try {
            if (!take(peer, r.channel, message, r.label)) return false;
        } catch (const transport_error& e) {
            r.failure = e;
            r.done = true;
            return true;
        }
        const std::size_t sent = message.bytes();
        const std::size_t expected = detail::total_bytes(r.into);
        if (sent == expected && message.is_away()) {
            fetch_pieces(message, r);
        } else if (sent == expected) {
            detail::copy_pieces(message.pieces(), r.into);
        } else {
            r.failure = transport_error(detail::length_mismatch(peer, rank_, sent, expected), peer);
        }
        r.done = true;
        release(message);
        return true;
    }

    void fetch_pieces(const incoming& message, detail::connection::receive& r) noexcept {
        try {
            std::size_t offset = 0;
            for (const std::span<std::byte> piece : r.into) {
                fetch(message, offset, piece);
                offset += piece.size();
            }
        } catch (const transport_error& e) {
            r.failure = e;
        }
    }

    // --- failure ---

    bool is_called_off(channel_type channel) const {
        return world_->called_off().count() != 0 && world_->called_off().find(channel).has_value();
    }

    // Messages that were set aside before their call was called off.
    void forget_those_aside() {
        for (rank_type r = 0; r < size_; ++r) {
            detail::connection& c = to(r);
            for (auto one = c.aside.begin(); one != c.aside.end();) {
                const auto next = std::next(one);
                if (!one->held && is_called_off(one->channel)) {
                    if (&*one == c.arriving) c.arriving = nullptr;
                    // Unread: its sender may take it back all the same.
                    if (one->is == whereabouts::lent || one->is == whereabouts::arriving)
                        c.let_go_of(one->ticket);
                    forget(c, one);
                }
                one = next;
            }
        }
    }

    [[gnu::cold]] void throw_if_called_off(channel_type channel) {
        const auto found = world_->called_off().find(channel);
        if (!found.has_value()) return;
        forget_those_aside();
        if (found->by == rank_) throw transport_error(found->why);
        throw_struck(found->why, found->by);
    }

    // Where ranks make different calls, both may wait for a message that tells, and none will come.
    [[gnu::cold]] void compare_calls(channel_type channel, const call_label& mine) {
        for (rank_type r = 0; r < size_; ++r)
            if (const auto theirs = world_->shared(r).calls.find(channel);
                theirs.has_value() && *theirs != mine)
                throw_other_call(r, channel, *theirs, mine);
    }

    [[noreturn, gnu::cold]] void throw_other_call(rank_type peer, channel_type channel,
                                                  const call_label& theirs, const call_label& mine) {
        const std::string why = detail::different_calls(peer, theirs, rank_, mine);
        call_off(channel, why);
        throw transport_error(why, peer);
    }

    // The peer's last act was before it left, so what is not here now will never come. Those who wait for
    // this rank wait in vain, too.
    [[noreturn]] void throw_gone(rank_type peer, channel_type channel) {
        throw_if_called_off(channel);
        if (world_->failed()) throw_failed();
        const std::string why = detail::sentence({"rank ", rank_, " waits for rank ", peer,
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

    mailbox_world* world_;
    rank_type rank_;
    rank_type size_;
    detail::connection* connections_;
    bool away_ = false;
    detail::begun_calls* calls_;
};

inline mailbox_transport mailbox_world::transport(rank_type rank) { return mailbox_transport(*this, rank); }

static_assert(eager_transport<mailbox_transport> && fetching_transport<mailbox_transport>
              && labelling_transport<mailbox_transport>);

} // namespace tutti
