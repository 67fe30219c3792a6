// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/cursor.hpp>
#include <tutti/execute/straight.hpp>
#include <tutti/execute/task.hpp>

namespace tutti {

/// A collective with everything decided: buffers, operation, schedule. `run` it as often as you like; every
/// rank of the communicator must, in the same order. The `plan_*` functions make one; the plain calls make
/// one and run it.
///
/// Making a plan sends nothing and reads no element. The buffers and the communicator must outlive it.
template <class Transport>
class plan {
public:
    /// What make() returns is made in its final place: moving it would cost a short collective as much as its
    /// messages.
    template <class Make>
        requires std::same_as<std::invoke_result_t<const Make&>, task>
    plan(communicator<Transport>& comm, const Make& make) : comm_(&comm), task_(make()) {}

    /// Plans that are not running can be moved.
    plan(plan&& other) noexcept;
    ~plan();

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void run();
    void operator()() { run(); }

    const any_generator& schedule() const noexcept { return task_.schedule; }

private:
    /// What a collective in flight has, and one that is over has not: a channel, leased memory, an engine.
    struct flight {
        flight(communicator<Transport>& on, const task& what, const binding& bound)
            : comm(on), channel(on.next_channel()), kept(on.lease_memory()),
              data(what.layout, bound, kept.memory) {}
        flight(const flight&) = delete;
        flight& operator=(const flight&) = delete;
        ~flight() {
            engine.reset(); // abandons what is open, and lies in that memory
            comm.return_memory(kept);
        }

        communicator<Transport>& comm;
        const channel_type channel;
        workspace<Transport>& kept;
        memory data;
        std::optional<cursor<Transport>> engine{};
        std::exception_ptr failure{};
    };

    void start();
    void wait();

    /// Results to where the caller wants them.
    void finish();

    /// Runs f and keeps what it throws; what the transport throws with collective, round and step.
    template <class Engine, class F>
    void guarded(const Engine& engine, F&& f);

    void fail(collective_error::location where, const transport_error& why);

    communicator<Transport>* comm_;
    task task_;
    reusable_bytes input_copy_;
    std::optional<flight> now_{};
};

// Not in the class, so that who uses an instantiation from the archive compiles none of it.
template <class Transport>
plan<Transport>::plan(plan&& other) noexcept
    : comm_(other.comm_), task_(std::move(other.task_)), input_copy_(std::move(other.input_copy_)) {}
template <class Transport>
plan<Transport>::~plan() = default;

template <class Transport>
void plan<Transport>::run() {
    start();
    wait();
}

template <class Transport>
void plan<Transport>::start() {
    binding bound = task_.bound;
    if (task_.keep_input) {
        std::byte* const copy = input_copy_.at_least(static_cast<std::size_t>(task_.layout.elements()));
        copy_bytes(copy, bound.input, task_.layout.elements());
        bound.input = copy;
    }
    copy_bytes(task_.ahead.to, task_.ahead.from, task_.ahead.bytes);
    now_.emplace(*comm_, task_, bound);
}

template <class Transport>
void plan<Transport>::wait() {
    round_index first = 0;
    if constexpr (eager_transport<Transport>) {
        using straight = straight_run<Transport>;
        if (straight::suits(task_.layout.elements(), task_.fold.shape())) {
            straight small(comm_->transport(), now_->channel, task_.schedule, task_.fold, now_->data,
                           now_->kept);
            guarded(small, [&] { first = small.run(); });
        }
    }
    if (first < task_.schedule.rounds() && now_->failure == nullptr) {
        now_->engine.emplace(comm_->transport(), now_->channel, task_.schedule, task_.fold, now_->data,
                             now_->kept, first);
        guarded(*now_->engine, [&] {
            for (std::uint32_t turns = 0; !now_->engine->done();) {
                if (now_->engine->progress())
                    turns = 0;
                else
                    comm_->transport().idle(turns++);
            }
        });
    }
    if (now_->failure == nullptr) finish();
    const std::exception_ptr failure = std::move(now_->failure);
    now_.reset();
    if (failure != nullptr) std::rethrow_exception(failure);
}

template <class Transport>
void plan<Transport>::finish() {
    now_->data.settle(task_.result);
    if (task_.copy_result_to != nullptr) {
        std::byte* to = task_.copy_result_to;
        now_->data.read(task_.result, buffer_name::work, [&](const std::byte* from, std::int64_t bytes) {
            copy_bytes(to, from, bytes);
            to += bytes;
        });
    }
    if constexpr (closing_transport<Transport>) {
        try {
            comm_->transport().close(now_->channel);
        } catch (const transport_error& e) {
            fail({.rank = comm_->rank(), .round = task_.schedule.rounds(), .peer = e.peer()}, e);
        }
    }
}

template <class Transport>
template <class Engine, class F>
void plan<Transport>::guarded(const Engine& engine, F&& f) {
    try {
        f();
    } catch (const transport_error& e) {
        auto where = engine.where(e.peer());
        if (e.peer() != no_rank) where.peer = e.peer();
        fail(std::move(where), e);
    } catch (...) {
        now_->failure = std::current_exception();
    }
}

template <class Transport>
[[gnu::cold]] void plan<Transport>::fail(collective_error::location where, const transport_error& why) {
    where.collective = name_of(task_.what);
    const collective_error what(std::move(where), why.what());
    if constexpr (announcing_transport<Transport>) comm_->transport().announce_failure(what.what());
    now_->failure = std::make_exception_ptr(what);
}

} // namespace tutti
