// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/flight.hpp>

/// From a task to its end: for calls and plans that block.
namespace tutti {

namespace detail {
/// How often a short task looks for what it waits for before it becomes a flight: where ranks have cores of
/// their own, about as long as a message needs to cross over.
template <class Transport>
int looks_at_once(const Transport& wires) noexcept {
    if constexpr (core_sharing_transport<Transport>)
        if (wires.shares_cores()) return 1;
    return 64;
}
} // namespace detail

/// Blocks until this rank's part is over. Throws collective_error if it fails on the way.
///
/// A short task that has run before, and needs no memory but its caller's, is mostly over after a few looks;
/// only if it is not does it get the books of a flight, which goes on where it stands.
template <class Transport>
void run_task(communicator<Transport>& comm, task& what, channel_type channel) {
    if constexpr (eager_transport<Transport>)
        if (what.runs_in_place()) [[likely]] {
            detail::begin_task(comm, what, channel);
            straight_run<Transport> steps(comm.transport(), channel, what.resolved, what.fold, what.label);
            steps.place_callers(what.bound, what.copy_result_to);
            try {
                for (int looks = detail::looks_at_once(comm.transport()); looks > 0 && !steps.done(); --looks)
                    steps.advance();
                if constexpr (closing_transport<Transport>)
                    if (steps.done() && !what.goes_on) comm.transport().close(channel);
            } catch (...) {
                flight<Transport>(comm, what, channel, steps).fail_as_caught();
            }
            if (!steps.done()) [[unlikely]]
                return flight<Transport>(comm, what, channel, steps).wait();
            return detail::end_task<Transport>();
        }
    flight<Transport>(comm, what, channel).wait();
}

} // namespace tutti
