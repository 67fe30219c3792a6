// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/cursor.hpp>
#include <tutti/execute/in_flight.hpp>
#include <tutti/execute/request.hpp>
#include <tutti/execute/straight.hpp>
#include <tutti/execute/task.hpp>

namespace tutti {

/// A task under way: it has a channel, memory that the communicator lent, and an engine. The task and the
/// communicator outlive it.
template <class Transport>
class flight final : public detail::in_flight {
public:
    /// `home`: where the communicator keeps it, if it is not on somebody's stack.
    flight(communicator<Transport>& comm, const task& what, launched<Transport>* home = nullptr)
        : comm_(comm), task_(what), home_(home), channel_(comm.next_channel()), kept_(comm.lease_memory()),
          data_(what.layout, bound(), kept_.memory), runs_straight_(begin_straight()) {
        copy_bytes(what.ahead.to, what.ahead.from, what.ahead.bytes);
        if (home != nullptr) join();
    }
    ~flight() {
        engine_.reset(); // abandons what is open, and lies in that memory
        comm_.return_memory(kept_);
    }

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void wait() {
        progress();
        if (!over_) [[unlikely]]
            detail::complete(*this);
        if (failure_ != nullptr) [[unlikely]]
            std::rethrow_exception(std::move(failure_));
    }

    bool progress() noexcept override;
    void idle(std::uint32_t turns) noexcept override {
        guarded([&] { comm_.transport().idle(turns); });
    }
    void yield() noexcept override {
        if constexpr (yielding_transport<Transport>) guarded([&] { comm_.transport().yield(); });
    }
    void land() override {
        const std::exception_ptr failure = std::move(failure_);
        comm_.take_back(*home_); // ends this object
        if (failure != nullptr) std::rethrow_exception(failure);
    }
    void give_up() noexcept override;

private:
    using straight = detail::short_cut<Transport>;

    binding bound() {
        if (!task_.keep_input) return task_.bound;
        binding own = task_.bound;
        std::byte* const copy = kept_.input.at_least(static_cast<std::size_t>(task_.layout.elements()));
        copy_bytes(copy, own.input, task_.layout.elements());
        own.input = copy;
        return own;
    }

    bool begin_straight() {
        if constexpr (eager_transport<Transport>)
            if (straight::suits(task_.layout.elements(), task_.fold.shape())) {
                straight_.emplace(comm_.transport(), channel_, task_.schedule, task_.fold, data_, kept_);
                return true;
            }
        return false;
    }

    /// Goes over to the engine that keeps books, from round `first` on.
    void begin_engine(round_index first) {
        runs_straight_ = false;
        engine_.emplace(comm_.transport(), channel_, task_.schedule, task_.fold, data_, kept_, first);
    }

    /// Results to where the caller wants them.
    void finish();

    /// Runs f and keeps what it throws; what the transport throws with collective, round and step.
    template <class F>
    void guarded(F&& f) noexcept;

    collective_error::location where(rank_type suspect) const;
    void fail(collective_error::location where, const transport_error& why);

    communicator<Transport>& comm_;
    const task& task_;
    launched<Transport>* home_;
    const channel_type channel_;
    workspace<Transport>& kept_;
    memory data_;
    std::optional<straight> straight_{};
    std::optional<cursor<Transport>> engine_{};
    std::exception_ptr failure_{};
    bool runs_straight_;
};

/// Where a communicator keeps a task in flight that nobody's stack holds.
template <class Transport>
struct launched {
    std::optional<task> own{};
    std::optional<flight<Transport>> now{};
};

// Not in the class, so that who uses an instantiation from the archive compiles none of it.
template <class Transport>
bool flight<Transport>::progress() noexcept {
    bool moved = false;
    guarded([&] {
        if constexpr (eager_transport<Transport>)
            if (runs_straight_) {
                moved = straight_->advance();
                over_ = straight_->done();
                if (!straight_->sends_too_many()) return;
                begin_engine(straight_->round());
            }
        if (!engine_.has_value()) begin_engine(0);
        moved = engine_->progress() || moved;
        over_ = engine_->done();
    });
    if (over_ && failure_ == nullptr) finish();
    return moved || over_;
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
    if constexpr (closing_transport<Transport>) guarded([&] { comm_.transport().close(channel_); });
}

template <class Transport>
template <class F>
void flight<Transport>::guarded(F&& f) noexcept {
    try {
        f();
    } catch (const transport_error& e) {
        auto at = where(e.peer());
        if (e.peer() != no_rank) at.peer = e.peer();
        fail(std::move(at), e);
        over_ = true;
    } catch (...) {
        failure_ = std::current_exception();
        over_ = true;
    }
}

template <class Transport>
collective_error::location flight<Transport>::where(rank_type suspect) const {
    if (over_) return {.rank = comm_.rank(), .round = task_.schedule.rounds()};
    if constexpr (eager_transport<Transport>)
        if (runs_straight_) return straight_->where(suspect);
    if (engine_.has_value()) return engine_->where(suspect);
    return {.rank = comm_.rank(), .round = 0};
}

template <class Transport>
[[gnu::cold]] void flight<Transport>::fail(collective_error::location where, const transport_error& why) {
    where.collective = name_of(task_.what);
    const collective_error what(std::move(where), why.what());
    if constexpr (announcing_transport<Transport>) comm_.transport().announce_failure(what.what());
    failure_ = std::make_exception_ptr(what);
}

template <class Transport>
[[gnu::cold]] void flight<Transport>::give_up() noexcept {
    if (!over_) {
        const std::string why =
            detail::sentence({"rank ", comm_.rank(), " has given up ", name_of(task_.what),
                              ": its request was destroyed before it was over"});
        if constexpr (announcing_transport<Transport>)
            comm_.transport().announce_failure(why);
        else if constexpr (failing_transport<Transport>)
            comm_.transport().fail(why);
    }
    comm_.take_back(*home_);
}

namespace detail {
template <class Transport>
request launch_at(launched<Transport>& at, communicator<Transport>& comm, const task& what) {
    at.now.emplace(comm, what, &at);
    at.now->progress();
    return request(*at.now);
}
} // namespace detail

/// Begins a task that outlives the request.
template <class Transport>
request launch(communicator<Transport>& comm, const task& what) {
    return detail::launch_at(comm.lease_place(), comm, what);
}
/// Begins a task that nobody else keeps.
template <class Transport>
request launch(communicator<Transport>& comm, task&& what) {
    launched<Transport>& at = comm.lease_place();
    return detail::launch_at(at, comm, at.own.emplace(std::move(what)));
}

} // namespace tutti
