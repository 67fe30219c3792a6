// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/failure.hpp>
#include <tutti/transport/mock_threads.hpp>
#include <tutti/transport/mock_world.hpp>

namespace tutti::mock {

/// The endpoint of one rank in a mock world.
class transport {
public:
    /// A message on its way, or one that is awaited; `handle{}` is over.
    class handle {
        friend class transport;
        operation* op_ = nullptr;
    };

    transport(world& group, rank_type rank)
        : world_(&group), rank_(checked({.rank = rank, .size = group.size(), .root = 0}).rank) {}

    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return world_->size(); }

    handle start_send(rank_type peer, channel_type channel, gather_list data, const call_label& label = {}) {
        check_peer(peer);
        handle h;
        h.op_ = &world_->start(
            rank_,
            {.sends = true, .owner = rank_, .peer = peer, .channel = channel, .from = data, .label = label});
        return h;
    }
    handle start_recv(rank_type peer, channel_type channel, scatter_list into, const call_label& label = {}) {
        check_peer(peer);
        handle h;
        h.op_ = &world_->start(
            rank_, {.owner = rank_, .peer = peer, .channel = channel, .into = into, .label = label});
        return h;
    }
    bool test(handle& h) { return world_->test(rank_, h.op_); }
    void idle(std::uint32_t) { world_->idle(rank_); }
    void abandon(handle& h) { world_->abandon(rank_, h.op_); }
    void yield() { world_->yield(rank_); }
    void fail(const std::string& why) { world_->give_up(rank_, why); }

    /// This rank takes no part in a call: all that wait for it there get an error, and the world goes on.
    void call_off(channel_type channel, const std::string& why) { world_->call_off(rank_, channel, why); }
    /// For communicators, see counting_transport.
    channel_type& calls_made(std::uint32_t context) { return world_->calls_made(rank_, context); }
    void begin_call(channel_type channel, const call_label& label) {
        world_->begin_call(rank_, channel, label);
    }
    void check_call(channel_type channel, const call_label&, std::uint32_t) {
        world_->check_call(rank_, channel);
    }

    /// Nothing more is expected on `channel`: complains of messages to this rank that nobody received.
    void close(channel_type channel) { world_->close(rank_, channel); }

private:
    void check_peer(rank_type peer) const {
        if (peer < 0 || peer >= size()) detail::throw_argument_below("peer", peer, size());
    }

    world* world_;
    rank_type rank_;
};

inline mock::transport world::transport(rank_type rank) { return mock::transport(*this, rank); }

static_assert(closing_transport<transport> && labelling_transport<transport>
              && counting_transport<transport>);

/// Runs f(transport&) once for every rank of `group`, interleaved as the world decides, on the caller's
/// thread and on `threads`, which have to be as many ranks' and can be taken again. Rethrows the exception
/// that came first: the cause, or else that of whom it met, not of who waits for those; what each rank left
/// with is in group.failure_of(rank). If all return, but a message was never received or a fault never
/// happened, that is an error too.
template <class F>
void for_each_rank(world& group, rank_threads& threads, F&& f) {
    if (threads.size() != group.size())
        detail::throw_argument("threads.size()", threads.size(),
                               detail::sentence({"as many ranks as the world's ", group.size()}));
    detail::first_failure failure;
    auto run = [&](rank_type rank) {
        if (!group.await_turn(rank)) return;
        std::exception_ptr what;
        try {
            mock::transport wires(group, rank);
            f(wires);
        } catch (...) {
            what = std::current_exception();
        }
        const std::size_t distance = group.leave(rank, what, what ? detail::text_of(what) : std::string{});
        if (what) failure.note(what, distance);
        try {
            group.hand_on_for_good(rank);
        } catch (...) { // the decisions to be replayed are of another program; go on without them
            failure.note(std::current_exception(), 0);
            group.hand_on_for_good(rank);
        }
    };

    group.begin();
    try {
        threads.start(run);
        group.kick_off();
        run(0);
    } catch (...) { // a thread could not be started, or the decisions to be replayed are none
        failure.note(std::current_exception(), 0);
        group.call_off();
    }
    threads.wait();
    group.put_on_record();
    failure.rethrow();
    group.end();
}

/// The same on threads of its own.
template <class F>
void for_each_rank(world& group, F&& f) {
    rank_threads threads(group.size());
    for_each_rank(group, threads, f);
}

/// for_each_rank on a world of its own. Returns the decisions of the run; options::record has those of one
/// that fails.
template <class F>
std::vector<std::uint32_t> run_transports(rank_type size, const options& how, F&& f) {
    world group(size, how);
    for_each_rank(group, f);
    return group.decisions();
}

} // namespace tutti::mock
