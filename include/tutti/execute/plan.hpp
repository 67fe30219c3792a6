// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstring>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/execute/arguments.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/cursor.hpp>
#include <tutti/execute/straight.hpp>

namespace tutti {

/// Elements copied by a plan before it starts.
template <element T>
struct copy_ahead {
    T* to = nullptr;
    const T* from = nullptr;
    std::int64_t count = 0;
};

/// A collective with everything decided: buffers, operation, schedule. `run` it as often as you like; every
/// rank of the communicator must, in the same order. The `plan_*` functions make one; the plain calls make
/// one and run it.
///
/// Making a plan sends nothing and reads no element. The buffers and the communicator must outlive it.
template <class Transport, class Kernel>
class plan {
public:
    using value_type = typename Kernel::value_type;

    struct request {
        collective what;
        block_layout layout;
        binding<value_type> bound;
        block_set result{};                   ///< blocks of work that must end up in the caller's memory
        copy_ahead<value_type> ahead{};       ///< own block of an allgather
        value_type* copy_result_to = nullptr; ///< reduce_scatter: where `result` goes in the end
        bool keep_input = false;              ///< work on a copy of bound.input, which the result overwrites

        /// Refuses a schedule whose claims do not cover the request. `in_place` is the memory that is input
        /// and output at once, null if there is none: a schedule that reads its input late works on a copy.
        void settle_claims(const capabilities& claims, bool commutative, const value_type* in_place) {
            detail::check_claims(claims, commutative, layout);
            if (in_place == nullptr || !claims.reads_input) return;
            bound.input = in_place;
            keep_input = true;
        }
    };

    /// `schedule` makes the any_generator, `describe` the request for it: both in their final place, because
    /// moving them would cost a short collective as much as its messages.
    template <class Schedule, class Describe>
    plan(communicator<Transport>& comm, Kernel kernel, Schedule&& schedule, Describe&& describe)
        : comm_(&comm), schedule_(schedule()), kernel_(std::move(kernel)), what_(describe(schedule_)) {}

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void run() {
        workspace<Transport>& kept = comm_->working_memory();
        const channel_type channel = comm_->next_channel();
        binding<value_type> bound = what_.bound;
        if (what_.keep_input) bound.input = copy_of_input();
        copy_elements(what_.ahead.to, what_.ahead.from, what_.ahead.count);

        memory<value_type> data(what_.layout, bound, kept.memory);
        execute(data, channel, kept);
        data.settle(what_.result);
        if (what_.copy_result_to != nullptr) {
            value_type* to = what_.copy_result_to;
            data.read(what_.result, buffer_name::work, [&](const value_type* from, std::int64_t count) {
                copy_elements(to, from, count);
                to += count;
            });
        }
        if constexpr (closing_transport<Transport>) close(channel);
    }
    void operator()() { run(); }

    const any_generator& schedule() const noexcept { return schedule_; }

private:
    void execute(memory<value_type>& data, channel_type channel, workspace<Transport>& kept) {
        round_index first = 0;
        if constexpr (eager_transport<Transport>) {
            using straight = straight_run<Transport, Kernel>;
            if (straight::suits(what_.layout.elements())) {
                straight small(comm_->transport(), channel, schedule_, kernel_, data, kept);
                first = reporting(small, [&] { return small.run(); });
                if (first == schedule_.rounds()) return;
            }
        }
        cursor<Transport, Kernel> engine(comm_->transport(), channel, schedule_, kernel_, data, kept, first);
        reporting(engine, [&] {
            for (std::uint32_t turns = 0; !engine.done();) {
                if (engine.progress())
                    turns = 0;
                else
                    comm_->transport().idle(turns++);
            }
            return 0;
        });
    }

    /// Runs f; what the transport throws is told with collective, round and step.
    template <class Engine, class F>
    auto reporting(const Engine& engine, F&& f) {
        try {
            return f();
        } catch (const transport_error& e) {
            auto where = engine.where(e.peer());
            where.collective = name_of(what_.what);
            if (e.peer() != no_rank) where.peer = e.peer();
            fail(collective_error(std::move(where), e.what()));
        }
    }

    void close(channel_type channel) {
        try {
            comm_->transport().close(channel);
        } catch (const transport_error& e) {
            fail(collective_error({.collective = std::string(name_of(what_.what)),
                                   .rank = comm_->rank(),
                                   .round = schedule_.rounds(),
                                   .peer = e.peer()},
                                  e.what()));
        }
    }

    [[noreturn]] void fail(collective_error what) {
        if constexpr (announcing_transport<Transport>) comm_->transport().announce_failure(what.what());
        throw what;
    }

    const value_type* copy_of_input() {
        const std::int64_t count = what_.layout.elements();
        auto* copy = reinterpret_cast<value_type*>(
            input_copy_.at_least(static_cast<std::size_t>(count) * sizeof(value_type)));
        copy_elements(copy, what_.bound.input, count);
        return copy;
    }

    communicator<Transport>* comm_;
    any_generator schedule_;
    Kernel kernel_;
    request what_;
    reusable_bytes input_copy_;
};

} // namespace tutti
