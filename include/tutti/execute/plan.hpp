// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

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
    void run() { flight<Transport>(*comm_, task_).wait(); }
    void operator()() { run(); }

    const any_generator& schedule() const noexcept { return task_.schedule; }

private:
    communicator<Transport>* comm_;
    task task_;
};

} // namespace tutti
