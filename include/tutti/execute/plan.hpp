// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

#include <tutti/core/error.hpp>
#include <tutti/execute/flight.hpp>

namespace tutti {

/// A collective with everything decided: buffers, operation, schedule. `run` it as often as you like; every
/// rank of the communicator must, in the same order. The `plan_*` functions make one.
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

    /// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
    void run() { flight<Transport>(*comm_, task_, comm_->next_channel()).wait(); }
    void operator()() { run(); }

    /// Begins a run, and returns at once; see request. The plan stays where it is until the run is over, and
    /// is not begun again before.
    void start() {
        if (!now_.over())
            throw error("tutti: the plan of this collective is started again before it is over");
        now_ = launch(*comm_, task_);
    }
    bool test() { return now_.test(); }
    void wait() { now_.wait(); }

    const any_generator& schedule() const noexcept { return task_.schedule; }

private:
    communicator<Transport>* comm_;
    task task_;
    request now_;
};

} // namespace tutti
