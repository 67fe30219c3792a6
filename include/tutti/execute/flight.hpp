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
#include <tutti/execute/resolve_short.hpp>
#include <tutti/execute/straight.hpp>
#include <tutti/execute/take_no_part.hpp>
#include <tutti/execute/task.hpp>

namespace tutti {

namespace detail {
/// What comes before the first step.
template <class Transport>
void begin_task(communicator<Transport>& comm, const task& what, [[maybe_unused]] channel_type channel) {
    if constexpr (helping_transport<Transport>) comm.transport().come_back();
    if constexpr (labelling_transport<Transport>) comm.transport().begin_call(channel, what.label);
    if (!what.copies_beside()) copy_bytes(what.ahead.to, what.ahead.from, what.ahead.bytes);
}

/// What comes after the last one of a task that its rank has waited for: it owes others what it has brought
/// them, and goes to do something else.
template <class Transport>
void end_task() noexcept {
    if constexpr (helping_transport<Transport>) Transport::run_due();
    leave_all();
}
} // namespace detail

/// A task under way: it has a channel, memory that the communicator lent, and an engine. The task and the
/// communicator outlive it.
template <class Transport>
class flight final : public detail::in_flight {
public:
    /// `home`: where the communicator keeps it, if it is not on somebody's stack.
    flight(communicator<Transport>& comm, task& what, channel_type channel,
           launched<Transport>* home = nullptr, progress_mode mode = progress_mode::own_calls)
        : comm_(comm), task_(what), home_(home), channel_(channel), mode_(mode) {
        try {
            begin();
            if (home != nullptr) begin_beside();
        } catch (...) { // memory has run out
            detail::take_no_part(comm, channel, name_of(what), std::current_exception());
            return_all();
            detail::end_task<Transport>();
            throw;
        }
    }
    /// One that goes on with what was begun, which outlives it.
    flight(communicator<Transport>& comm, task& what, channel_type channel,
           detail::short_cut<Transport>& begun)
        : comm_(comm), task_(what), home_(nullptr), channel_(channel), straight_(&begun),
          mode_(progress_mode::own_calls) {}
    ~flight() {
        come_back();
        if constexpr (helping_transport<Transport>)
            if (listed_) comm_.transport().remove(*this);
        // To take messages back may be to wait for a rank that waits for what others of these hold.
        if (!ended_) detail::hear_all();
        return_all();
        home_ == nullptr ? detail::end_task<Transport>() : run_due();
    }

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void wait() {
        progress();
        if (!over()) [[unlikely]]
            detail::complete(*this);
        if (failure_ != nullptr) [[unlikely]]
            std::rethrow_exception(std::move(failure_));
    }

    /// Ends with the error that is being handled. Throws as wait().
    [[noreturn]] void fail_as_caught() {
        guarded([] { throw; });
        std::rethrow_exception(std::move(failure_));
    }

    /// Whether it was called off meanwhile: then it is over, and keeps nobody waiting.
    bool hear() noexcept override {
        come_back();
        return end_if_called_off();
    }
    /// The same, for whoever is at it.
    bool end_if_called_off() noexcept {
        if (over()) return false;
        guarded([&] { check_call(); });
        return over();
    }
    /// Whether wait() would throw.
    bool has_failed() const noexcept { return failure_ != nullptr; }

    /// Moves what can move, and then what others are owed; false if nothing could.
    bool progress() noexcept override {
        come_back();
        // Nobody may be waiting for one that was begun; what it holds others may wait for.
        const bool moved = run() || (home_ != nullptr && end_if_called_off());
        run_due();
        return moved;
    }
    /// Moves what can move; whoever brings something may call it while the rank is away.
    bool run() noexcept override;
    /// The one rank without which it cannot go on; no_rank if there is none such.
    rank_type awaited() const noexcept override {
        if constexpr (eager_transport<Transport>)
            if (straight_ != nullptr) return straight_->awaited();
        return no_rank;
    }
    /// Whether others still wait for something from this rank.
    bool serves_others() const noexcept override {
        if constexpr (eager_transport<Transport>)
            if (straight_ != nullptr) return straight_->sends_later();
        return true;
    }
    /// Nothing has moved for so many turns: waits a little.
    void idle(std::uint32_t turns) noexcept override {
        come_back();
        if (over()) return;
        if constexpr (helping_transport<Transport> && core_sharing_transport<Transport>)
            if (comm_.transport().shares_cores()) list();
        guarded([&] {
            check();
            comm_.transport().idle(turns);
        });
    }
    /// The rank goes to do something else.
    void leave() noexcept override {
        if constexpr (helping_transport<Transport>)
            if (mode_ != progress_mode::own_calls)
                comm_.transport().leave(mode_ == progress_mode::by_thread ? left_to::thread
                                                                          : left_to::bringers);
    }
    /// Lets other ranks run where they need that.
    void yield() noexcept override {
        come_back();
        if (over()) return;
        guarded([&] {
            check();
            if constexpr (yielding_transport<Transport>) comm_.transport().yield();
        });
    }
    /// The caller's input may be written from now on: what is still to be read of it is copied. Only for
    /// resolved schedules; others need task::keep_input from the beginning.
    void let_input_go() {
        if constexpr (eager_transport<Transport>) {
            come_back();
            if (over() || straight_ == nullptr || task_.keep_input || task_.bound.input == nullptr) return;
            straight_->place(region::input, copy_of_input());
        }
    }

    /// Ends this object. Throws what went wrong.
    void land() override {
        come_back();
        const std::exception_ptr failure = std::move(failure_);
        comm_.take_back(*home_); // ends this object
        if (failure != nullptr) std::rethrow_exception(failure);
    }
    /// Ends this object, unfinished: ranks that wait for it get an error.
    void give_up() noexcept override;

private:
    using straight = detail::short_cut<Transport>;

    // --- where others help ---
    void come_back() noexcept {
        if constexpr (helping_transport<Transport>) comm_.transport().come_back();
    }
    void run_due() noexcept {
        if constexpr (helping_transport<Transport>) Transport::run_due();
    }
    /// What others may run while this rank is away.
    void list() {
        if constexpr (helping_transport<Transport>)
            if (!std::exchange(listed_, true)) comm_.transport().add(*this);
    }

    void begin() {
        detail::begin_task(comm_, task_, channel_);
        if (!begin_straight()) {
            kept();
            engine_.emplace(*this, bound());
        }
        if (!task_.copies_beside()) return;
        run();
        if (failure_ != nullptr) return;
        const block_index each = task_.schedule.blocks() / comm_.size();
        engine_->data.copy_unlanded({.first = each * comm_.rank(), .count = each});
    }
    void return_all() noexcept {
        engine_.reset(); // abandons what is open, and lies in that memory
        if (kept_ != nullptr) comm_.return_memory(*kept_);
    }

    /// It goes on beside what the rank does.
    void begin_beside() {
        join();
        if (mode_ != progress_mode::own_calls) list();
    }

    struct books {
        books(const flight& f, const binding& bound)
            : data(f.task_.layout, f.task_.layout_of_input(), bound, f.kept_->memory),
              engine(f.comm_.transport(), f.channel_, f.task_.schedule, f.task_.fold, data, *f.kept_,
                     f.task_.label, f.task_.any_order) {}
        memory data;
        cursor<Transport> engine;
    };

    workspace<Transport>& kept() {
        if (kept_ == nullptr) kept_ = &comm_.lease_memory();
        return *kept_;
    }

    std::byte* copy_of_input() {
        const std::int64_t bytes = task_.input_bytes();
        std::byte* const copy = kept().input.at_least(static_cast<std::size_t>(bytes));
        copy_bytes(copy, task_.bound.input, bytes);
        return copy;
    }

    binding bound() {
        binding own = task_.bound;
        if (task_.keep_input) own.input = copy_of_input();
        return own;
    }

    bool begin_straight() {
        if constexpr (eager_transport<Transport>)
            if (straight::suits(task_.longest_vector(), task_.fold.shape())) {
                if (!task_.resolved.known()) [[unlikely]]
                    detail::resolve_short(comm_, task_);
                if (!task_.resolved.usable()) return false;
                straight_ = &own_straight_.emplace(comm_.transport(), channel_, task_.resolved, task_.fold,
                                                   task_.label, task_.any_order);
                place_regions(bound());
                return true;
            }
        return false;
    }
    void place_regions(const binding& own);

    /// Nobody waits in a call that a rank takes no part in, or makes another one.
    void check_call() {
        if constexpr (labelling_transport<Transport>)
            comm_.transport().check_call(channel_, task_.label, looks_++);
    }
    void check() {
        check_call();
        if (comm_.patience().is_limited() && comm_.patience().is_over(waits_)) [[unlikely]]
            miss_deadline();
    }
    [[noreturn]] void miss_deadline();

    /// Results to where the caller wants them.
    void finish();

    /// Runs f and keeps what it throws; what the transport throws with collective, round and step.
    template <class F>
    void guarded(F&& f) noexcept;

    collective_error::location where(rank_type suspect) const;
    void fail(const transport_error& why) noexcept;

    communicator<Transport>& comm_;
    task& task_;
    launched<Transport>* home_;
    const channel_type channel_;
    std::uint32_t looks_ = 0; // in vain
    detail::patience::wait waits_{};
    workspace<Transport>* kept_ = nullptr;
    std::optional<straight> own_straight_{};
    straight* straight_ = nullptr;  // either this
    std::optional<books> engine_{}; // or this
    std::exception_ptr failure_{};
    const progress_mode mode_;
    bool listed_ = false;
    bool ended_ = false; // all steps are done, not necessarily well
};

/// Where a communicator keeps a task in flight that nobody's stack holds.
template <class Transport>
struct launched final : detail::any_launched {
    std::optional<task> own{};              ///< what was copied for it, for the next one to write over
    std::optional<flight<Transport>> now{}; ///< while it is under way
};

// Not in the class, so that who uses an instantiation from the archive compiles none of it.
template <class Transport>
bool flight<Transport>::run() noexcept {
    if (over()) return false;
    bool moved = false;
    guarded([&] {
        if constexpr (eager_transport<Transport>)
            if (straight_ != nullptr) {
                moved = straight_->advance();
                ended_ = straight_->done();
                return;
            }
        moved = engine_->engine.progress();
        ended_ = engine_->engine.done();
    });
    if (moved) waits_.moved();
    if (ended_ && failure_ == nullptr) finish();
    if (ended_) over_.store(true, std::memory_order_release);
    return moved || over();
}

template <class Transport>
void flight<Transport>::place_regions([[maybe_unused]] const binding& own) {
    if constexpr (eager_transport<Transport>) {
        straight& run = *straight_;
        run.place_callers(own, task_.copy_result_to);
        const auto bytes = static_cast<std::size_t>(task_.layout.elements());
        for (const region r : {region::work, region::scratch, region::scratch_1})
            if (task_.resolved.needs(r) && !(r == region::work && own.work != nullptr)) [[unlikely]]
                run.place(r, kept().memory.of(r).at_least(bytes));
    }
}

template <class Transport>
[[gnu::cold]] void flight<Transport>::miss_deadline() {
    const std::string why = comm_.patience().why();
    if constexpr (labelling_transport<Transport>) comm_.transport().call_off(channel_, why);
    throw transport_error(why);
}

template <class Transport>
void flight<Transport>::finish() {
    if (engine_.has_value()) { // a resolved schedule did that itself
        memory& data = engine_->data;
        data.settle(task_.result);
        if (task_.copy_result_to != nullptr) {
            std::byte* to = task_.copy_result_to;
            for (const stretch& s : data.read(task_.result, buffer_name::work)) {
                copy_bytes(to, data.present(s), s.bytes);
                to += s.bytes;
            }
        }
    }
    if constexpr (closing_transport<Transport>)
        if (!task_.goes_on) guarded([&] { comm_.transport().close(channel_); });
}

template <class Transport>
template <class F>
void flight<Transport>::guarded(F&& f) noexcept {
    try {
        f();
    } catch (const transport_error& e) {
        fail(e);
    } catch (...) { // the operation's own, or memory has run out
        failure_ = std::current_exception();
        detail::take_no_part(comm_, channel_, name_of(task_), failure_);
    }
    if (failure_ == nullptr) return;
    if (engine_.has_value()) engine_->engine.let_go(); // its request may be waited for after the next calls
    over_.store(true, std::memory_order_release);
}

template <class Transport>
collective_error::location flight<Transport>::where(rank_type suspect) const {
    if (ended_) return {.rank = comm_.rank(), .round = task_.schedule.rounds()};
    if constexpr (eager_transport<Transport>)
        if (straight_ != nullptr) return straight_->where(suspect);
    return engine_->engine.where(suspect);
}

template <class Transport>
[[gnu::cold]] void flight<Transport>::fail(const transport_error& why) noexcept try {
    if constexpr (labelling_transport<Transport>)
        if (!why.lost()) comm_.transport().call_off(channel_, why.what()); // they may wait for this rank
    auto at = where(why.peer());
    if (why.peer() != no_rank) at.peer = why.peer();
    at.collective = name_of(task_);
    const peer_lost what(std::move(at), why.what());
    failure_ = why.lost() ? std::make_exception_ptr(what)
                          : std::make_exception_ptr(static_cast<const collective_error&>(what));
    if constexpr (announcing_transport<Transport>) comm_.transport().announce_failure(what.what());
} catch (...) { // no memory for the words
    if (failure_ == nullptr) failure_ = std::current_exception();
}

template <class Transport>
[[gnu::cold]] void flight<Transport>::give_up() noexcept {
    come_back();
    if (!over()) detail::tell_given_up(comm_, name_of(task_));
    comm_.take_back(*home_);
}

} // namespace tutti
