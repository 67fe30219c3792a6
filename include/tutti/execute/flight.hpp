// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/cursor.hpp>
#include <tutti/execute/straight.hpp>
#include <tutti/execute/task.hpp>

namespace tutti {

/// A task under way: it has a channel, memory that the communicator lent, and an engine. The task and the
/// communicator outlive it.
template <class Transport>
class flight {
public:
    flight(communicator<Transport>& comm, const task& what)
        : comm_(comm), task_(what), channel_(comm.next_channel()), kept_(comm.lease_memory()),
          data_(what.layout, bound(), kept_.memory) {
        copy_bytes(what.ahead.to, what.ahead.from, what.ahead.bytes);
    }
    flight(const flight&) = delete;
    flight& operator=(const flight&) = delete;
    ~flight() {
        engine_.reset(); // abandons what is open, and lies in that memory
        comm_.return_memory(kept_);
    }

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void wait();

private:
    binding bound() {
        if (!task_.keep_input) return task_.bound;
        binding own = task_.bound;
        std::byte* const copy = kept_.input.at_least(static_cast<std::size_t>(task_.layout.elements()));
        copy_bytes(copy, own.input, task_.layout.elements());
        own.input = copy;
        return own;
    }

    /// Results to where the caller wants them.
    void finish();

    /// Runs f and keeps what it throws; what the transport throws with collective, round and step.
    template <class Engine, class F>
    void guarded(const Engine& engine, F&& f);

    void fail(collective_error::location where, const transport_error& why);

    communicator<Transport>& comm_;
    const task& task_;
    const channel_type channel_;
    workspace<Transport>& kept_;
    memory data_;
    std::optional<cursor<Transport>> engine_{};
    std::exception_ptr failure_{};
};

// Not in the class, so that who uses an instantiation from the archive compiles none of it.
template <class Transport>
void flight<Transport>::wait() {
    round_index first = 0;
    if constexpr (eager_transport<Transport>) {
        using straight = straight_run<Transport>;
        if (straight::suits(task_.layout.elements(), task_.fold.shape())) {
            straight small(comm_.transport(), channel_, task_.schedule, task_.fold, data_, kept_);
            guarded(small, [&] { first = small.run(); });
        }
    }
    if (first < task_.schedule.rounds() && failure_ == nullptr) {
        engine_.emplace(comm_.transport(), channel_, task_.schedule, task_.fold, data_, kept_, first);
        guarded(*engine_, [&] {
            for (std::uint32_t turns = 0; !engine_->done();) {
                if (engine_->progress())
                    turns = 0;
                else
                    comm_.transport().idle(turns++);
            }
        });
    }
    if (failure_ == nullptr) finish();
    if (failure_ != nullptr) std::rethrow_exception(std::move(failure_));
}

template <class Transport>
void flight<Transport>::finish() {
    data_.settle(task_.result);
    if (task_.copy_result_to != nullptr) {
        std::byte* to = task_.copy_result_to;
        for (const stretch& s : data_.read(task_.result, buffer_name::work)) {
            copy_bytes(to, s.present, s.bytes);
            to += s.bytes;
        }
    }
    if constexpr (closing_transport<Transport>) {
        try {
            comm_.transport().close(channel_);
        } catch (const transport_error& e) {
            fail({.rank = comm_.rank(), .round = task_.schedule.rounds(), .peer = e.peer()}, e);
        }
    }
}

template <class Transport>
template <class Engine, class F>
void flight<Transport>::guarded(const Engine& engine, F&& f) {
    try {
        f();
    } catch (const transport_error& e) {
        auto where = engine.where(e.peer());
        if (e.peer() != no_rank) where.peer = e.peer();
        fail(std::move(where), e);
    } catch (...) {
        failure_ = std::current_exception();
    }
}

template <class Transport>
[[gnu::cold]] void flight<Transport>::fail(collective_error::location where, const transport_error& why) {
    where.collective = name_of(task_.what);
    const collective_error what(std::move(where), why.what());
    if constexpr (announcing_transport<Transport>) comm_.transport().announce_failure(what.what());
    failure_ = std::make_exception_ptr(what);
}

} // namespace tutti
