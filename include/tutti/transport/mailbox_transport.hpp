// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>

#include <tutti/core/rank.hpp>
#include <tutti/transport/attendance.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/doorbell.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_handle.hpp>
#include <tutti/transport/mailbox_message.hpp>
#include <tutti/transport/mailbox_rank.hpp>
#include <tutti/transport/mailbox_reader.hpp>
#include <tutti/transport/mailbox_receiver.hpp>
#include <tutti/transport/mailbox_receives.hpp>
#include <tutti/transport/mailbox_sender.hpp>
#include <tutti/transport/mailbox_world.hpp>

namespace tutti {

/// The endpoint of one rank among those that share memory: threads of this process, or processes.
///
/// Messages of up to eager_bytes() travel inside the mailbox and their sends are complete at once. So are
/// those of up to copied_bytes(), while there is room for copies; of up to half as many, where threads with
/// cores of their own exchange messages. Of others only the address travels: the receiver reads them in the
/// sender's memory, and the send completes when the receiver has let go; where it cannot read that, they are
/// copied, whole or part by part. Either take() or started receives should be used for a channel, not both.
///
/// Each of the layers that it is made of is a header: mailbox_rank, mailbox_sender, mailbox_reader,
/// mailbox_aside, mailbox_receiver, mailbox_receives.
class mailbox_transport : private detail::mailbox_receives {
public:
    using handle = detail::mailbox_handle;
    using incoming = detail::mailbox_message;

    mailbox_transport(mailbox_world& group, rank_type rank) : mailbox_receives(group, rank) {}

    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return size_; }
    bool shares_cores() const noexcept { return world_->shares_cores(); }
    /// Messages of up to eager_bytes() that fit between two ranks of this world: at least eager_depth().
    std::size_t depth() const noexcept { return world_->depth(); }

    static constexpr std::size_t eager_bytes() noexcept { return detail::slot::payload_bytes; }
    /// 4096: longer messages are copied only where the receiver cannot read the sender's memory.
    static constexpr std::size_t copied_bytes() noexcept { return detail::copied_bytes; }
    /// At least; depth() is what it is in this world.
    static constexpr std::size_t eager_depth() noexcept { return detail::least_depth; }

    /// Requires bytes.size() <= eager_bytes().
    bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> bytes,
                  const call_label& label = {}) {
        return mailbox_sender::try_post(peer, channel, bytes, label);
    }
    bool take(rank_type peer, channel_type channel, incoming& message, const call_label& label = {}) {
        return mailbox_receiver::take(peer, channel, message, label);
    }
    using mailbox_reader::fetch;
    using mailbox_receiver::release;

    handle start_send(rank_type peer, channel_type channel, gather_list data, const call_label& label = {}) {
        return mailbox_sender::start_send(peer, channel, data, label);
    }
    handle start_recv(rank_type peer, channel_type channel, scatter_list into, const call_label& label = {}) {
        return mailbox_receives::start_recv(peer, channel, into, label);
    }
    bool test(handle& h) { return h.kind_ == handle::kind::receive ? test_receive(h) : test_send(h); }

    void idle(std::uint32_t turns) {
        if (world_->failed()) [[unlikely]]
            throw_failed();
        go_on_sending();
        detail::doorbell& bell = world_->shared(rank_).bell;
        detail::attendance& spot = world_->own(rank_).spot;
        const std::uint32_t spins = spinning_.looks(turns);
        // The core that others get is best used for this one, too.
        if (shares_cores() && world_->in_one_process() && spot.can_serve_others()) {
            spot.leave_for_a_moment();
            world_->ladder_.wait(turns, bell, spins);
            spot.come_back();
        } else {
            world_->ladder_.wait(turns, bell, spins);
        }
        if (world_->ladder_.is_late(turns)) [[unlikely]]
            world_->look_after();
    }

    /// idle() for whoever has more to do than to wait: never sleeps.
    void idle_awake(std::uint32_t turns) {
        if (world_->failed()) [[unlikely]]
            throw_failed();
        go_on_sending();
        world_->ladder_.wait_awake(turns, spinning_.looks(turns));
        if (world_->ladder_.is_late(turns)) [[unlikely]]
            world_->look_after();
    }

    /// Memory that every rank of the world can read where it lies: messages out of it are never copied. Null
    /// if there is no more of it. By the thread of this rank.
    std::byte* allocate(std::size_t bytes) { return world_->allocate(bytes); }
    /// Gives back what allocate() has returned, on the same rank.
    void deallocate(std::byte* what) noexcept { world_->deallocate(what); }

    /// While this rank is away, others may run its errands.
    void add(errand& what) { world_->own(rank_).spot.add(what); }
    /// One that was added, and while this rank is not away.
    void remove(errand& what) noexcept { world_->own(rank_).spot.remove(what); }
    /// Until come_back() others may run the errands, and this rank may use nothing else here.
    void leave(left_to whom) noexcept {
        if (away_) return;
        away_ = true;
        if (!world_->in_one_process()) whom = left_to::thread; // whoever brings something has other memory
        if (whom == left_to::thread) world_->start_thread();
        detail::attendance& spot = world_->own(rank_).spot;
        spot.leave(whom);
        spot.try_run(whom); // what came just before nobody has been told of
    }
    /// Waits until nobody is at this rank's errands any more.
    void come_back() noexcept {
        if (!away_) [[likely]]
            return;
        world_->own(rank_).spot.come_back();
        away_ = false;
    }
    /// Runs the errands of ranks that this thread has brought something and that are away.
    static void run_due() noexcept { detail::attendance::run_due(); }

    /// This rank goes on no more: all that wait get an error.
    void fail(const std::string& why) { world_->fail(rank_, why); }

    /// This rank takes no part in a call: all that wait for it there get an error, and the world goes on.
    void call_off(channel_type channel, const std::string& why) { mailbox_rank::call_off(channel, why); }
    /// For communicators, see counting_transport: kept as long as the world is, from one endpoint to the
    /// next.
    channel_type& calls_made(std::uint32_t context) { return world_->own(rank_).counts.of(context); }
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
        if (h.kind_ == handle::kind::receive)
            abandon_receive(h);
        else if (h.kind_ != handle::kind::complete)
            abandon_send(h);
    }

    /// Ends a send of which nothing has been written: later messages to its peer do not wait behind it any
    /// more. False if `h` is none.
    bool withdraw(handle& h) {
        if (h.kind_ != handle::kind::unwritten) return false;
        abandon_send(h);
        return true;
    }

private:
    static constexpr std::uint32_t looks_between_comparing = 1024;

    bool away_ = false;
    detail::spinning spinning_;
};

inline mailbox_transport mailbox_world::transport(rank_type rank) { return mailbox_transport(*this, rank); }

static_assert(eager_transport<mailbox_transport> && fetching_transport<mailbox_transport>
              && labelling_transport<mailbox_transport> && counting_transport<mailbox_transport>);

} // namespace tutti
