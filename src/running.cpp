// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: calls, the engine over threads and over the mock, and nodes as people write
// them.
#define TUTTI_COMPILING
#include <tutti/core/node_sizes.hpp>
#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>
#if defined(__linux__)
#include <tutti/processes.hpp>
#endif

template class tutti::communicator<tutti::threads::transport>;
template class tutti::flight<tutti::threads::transport>;
template void tutti::run_task(tutti::communicator<tutti::threads::transport>&, tutti::task&,
                              tutti::channel_type);
template class tutti::communicator<tutti::mock::transport>;
template class tutti::flight<tutti::mock::transport>;
template void tutti::run_task(tutti::communicator<tutti::mock::transport>&, tutti::task&,
                              tutti::channel_type);
