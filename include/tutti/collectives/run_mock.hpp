// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/transport/mock.hpp>

#if !TUTTI_BODIES
extern template class tutti::communicator<tutti::mock::transport>;
extern template class tutti::flight<tutti::mock::transport>;
extern template void tutti::run_task(tutti::communicator<tutti::mock::transport>&, tutti::task&,
                                     tutti::channel_type);
#endif

namespace tutti::mock {

/// Runs body(communicator&) once for every rank of `group`, interleaved as its options decide. Rethrows the
/// exception that came first, a cause before its consequences, the nearest before those; afterwards
/// group.failure_of(rank) says what each rank left with, group.log() what happened.
template <class Body>
void run(world& group, Body&& body) {
    for_each_rank(group, [&body](mock::transport& wires) {
        communicator<mock::transport> comm(wires);
        body(comm);
    });
}

/// The same on a world of its own. Returns its decisions: given to options::replay they show the same run
/// again. Those of a run that fails are in options::record.
///
///     tutti::mock::run(4, {.seed = 7}, [](auto& comm) { tutti::barrier(comm); });
template <class Body>
std::vector<std::uint32_t> run(rank_type size, const options& how, Body&& body) {
    world group(size, how);
    mock::run(group, body);
    return group.decisions();
}

} // namespace tutti::mock
