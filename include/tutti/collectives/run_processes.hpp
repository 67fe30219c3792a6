// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/collectives/run_threads.hpp>
#include <tutti/transport/processes.hpp>

namespace tutti::processes {

/// Runs body(communicator&) on `size` ranks, each a process that is forked off here, so all begin with what
/// there is now, and what they do to memory only they see. Returns when all have ended. If one leaves with an
/// exception, or dies, the others get peer_lost instead of waiting for it, and rank_failed is thrown here: it
/// names the first that failed. Best called before this process starts threads: only the calling one goes on
/// in the ranks. Linux only.
///
///     tutti::processes::run(4, [](auto& comm) { tutti::barrier(comm); });
template <class Body>
void run(rank_type size, Body&& body, const options& how = {}) {
    run_transports(
        size,
        [&body](transport& wires) {
            communicator<transport> comm(wires);
            body(comm);
        },
        how);
}

} // namespace tutti::processes
