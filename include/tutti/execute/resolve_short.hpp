// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/communicator.hpp>
#include <tutti/execute/straight.hpp>
#include <tutti/execute/task.hpp>

namespace tutti::detail {

/// Resolves the schedule of a task, if it is a short one.
template <class Transport>
void resolve_short([[maybe_unused]] communicator<Transport>& comm, [[maybe_unused]] task& what) {
    if constexpr (eager_transport<Transport>) {
        if (!short_cut<Transport>::suits(what.longest_vector(), what.fold.shape())) return;
        if (what.copies_beside()) return; // it is never usable: the short cut copies ahead
        workspace<Transport>& room = comm.lease_memory();
        try {
            what.resolved.make(what.schedule, {what.layout, what.bound, room.memory}, what.result,
                               what.copy_result_to != nullptr, Transport::eager_depth(),
                               room.rounds[0].steps);
        } catch (...) {
            comm.return_memory(room);
            throw;
        }
        comm.return_memory(room);
    }
}

} // namespace tutti::detail
