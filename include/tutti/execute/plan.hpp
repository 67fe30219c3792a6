// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tutti/core/error.hpp>
#include <tutti/execute/bind_again.hpp>
#include <tutti/execute/buffers.hpp>
#include <tutti/execute/extra_bytes.hpp>
#include <tutti/execute/launch.hpp>
#include <tutti/execute/run_task.hpp>

namespace tutti {

/// A collective with everything decided: buffers, operation, schedule. `run` it as often as you like; every
/// rank of the communicator must, in the same order. The `plan_*` functions make one.
///
/// Making a plan sends nothing and reads no element. The buffers and the communicator must outlive it.
///
/// Every run takes the next channel of the communicator, as any other call does. A channel of the plan's own
/// would spare no more than counting, since no transport here sets anything up for one, and ranks would have
/// to make their plans in the same order, too. Above all it would lose what channels are for: the number of
/// the call, by which ranks notice that they do not make the same one. A rank that runs the plan where the
/// others call something else meets another label under that number; on the plan's channel its messages would
/// be taken for those of the others' next run, whose label is the same. And a failed run is over with its
/// channel: what nobody has taken of it does not get into the next run, and calling it off on all ranks ends
/// that run, not the plan.
template <class Transport>
class plan {
public:
    /// What make() returns is made in its final place: moving it would cost a short collective as much as its
    /// messages.
    template <class Make>
        requires std::same_as<std::invoke_result_t<const Make&>, task>
    plan(communicator<Transport>& comm, const Make& make) : comm_(&comm), task_(make()) {}

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void run() { run_task(*comm_, task_, comm_->next_channel()); }
    /// As run().
    void operator()() { run(); }

    /// The same with other buffers, of the same type and as many elements, from this run on. Throws
    /// argument_error if they are not.
    template <readable In, writable_like<In> Out>
    void run(const In& in, Out&& out) {
        const detail::input_bytes from = detail::input_of(in);
        run_with(&from, detail::output_of(out));
    }
    /// ... of a plan in place.
    template <writable InOut>
    void run(InOut&& inout) {
        run_with(nullptr, detail::output_of(inout));
    }

    /// Begins a run, and returns at once; see request. The plan stays where it is until the run is over, and
    /// is not begun again before.
    void start() {
        start_after([] {});
    }
    /// The same with other buffers, as run.
    template <readable In, writable_like<In> Out>
    void start(const In& in, Out&& out) {
        const detail::input_bytes from = detail::input_of(in);
        start_after([&] { detail::bind_again(task_, &from, detail::output_of(out)); });
    }
    /// ... of a plan in place.
    template <writable InOut>
    void start(InOut&& inout) {
        start_after([&] { detail::bind_again(task_, nullptr, detail::output_of(inout)); });
    }
    /// Whether the run that was begun is over; moves it on.
    bool test() { return now_.test(); }
    /// Until it is over. Throws collective_error if it fails on the way.
    void wait() { now_.wait(); }

    /// What runs: this rank's part.
    const any_generator& schedule() const noexcept { return task_.schedule; }

    /// The most memory beyond the caller's buffers that a run takes on this rank for elements, in bytes; what
    /// a short schedule takes exactly: work and scratch of the schedule, a copy of the input that the result
    /// overwrites, and, if it is not short, room for messages that come before their place is free, four
    /// rounds of them at most. The communicator keeps it, and lends it to its next call. What the transport
    /// sets aside is not in it, nor what keeps books. Looks at all steps.
    std::int64_t extra_bytes() {
        if (!task_.resolved.known()) detail::resolve_short(*comm_, task_);
        return detail::extra_bytes(task_, task_.resolved.usable());
    }

private:
    template <class Prepare>
    channel_type channel_after(const Prepare& prepare) {
        const channel_type channel = comm_->next_channel();
        detail::made_or_called_off(*comm_, channel, task_, prepare);
        return channel;
    }
    void run_with(const detail::input_bytes* in, const detail::output_bytes& out) {
        const channel_type channel = channel_after([&] { detail::bind_again(task_, in, out); });
        run_task(*comm_, task_, channel);
    }
    template <class Prepare>
    void start_after(const Prepare& prepare) {
        const channel_type channel = channel_after([&] {
            if (!now_.over())
                throw error("tutti: the plan of this collective is started again before it is over");
            prepare();
        });
        now_ = launch(*comm_, task_, channel);
    }

    communicator<Transport>* comm_;
    task task_;
    request now_;
};

} // namespace tutti
