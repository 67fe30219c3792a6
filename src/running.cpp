// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: calls, and the engine over threads and over the mock.
#define TUTTI_COMPILING
#include <tutti/tutti.hpp>

template class tutti::communicator<tutti::threads::transport>;
template class tutti::flight<tutti::threads::transport>;
template class tutti::communicator<tutti::mock::transport>;
template class tutti::flight<tutti::mock::transport>;
