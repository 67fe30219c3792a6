// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <tutti/core/compiled.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/transport/threads.hpp>

#if !TUTTI_BODIES
extern template class tutti::communicator<tutti::threads::transport>;
extern template class tutti::flight<tutti::threads::transport>;
extern template void tutti::run_task(tutti::communicator<tutti::threads::transport>&, tutti::task&,
                                     tutti::channel_type);
#endif

namespace tutti::threads {

/// Runs body(communicator&) on `size` ranks, each a thread; rank 0 is the calling one. Returns when all have
/// returned. If a rank leaves with an exception, the others fail instead of waiting for it, and the exception
/// that came first is rethrown here.
///
///     tutti::threads::run(4, [](auto& comm) { tutti::barrier(comm); });
template <class Body>
void run(rank_type size, Body&& body) {
    run_transports(size, [&body](threads::transport& wires) {
        communicator<threads::transport> comm(wires);
        body(comm);
    });
}

} // namespace tutti::threads
