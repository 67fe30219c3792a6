// SPDX-License-Identifier: BSL-1.0
#pragma once

/// tutti over MPI: this and any of tutti's collectives.
///
///     tutti::mpi::transport wires{MPI_COMM_WORLD};
///     tutti::communicator comm{wires};
///     tutti::allreduce(comm, in, out, tutti::sum{});
///
/// A program that wants to compile faster includes <tutti/mpi/transport.hpp> and the calls it makes.

#include <tutti/mpi/run.hpp>
#include <tutti/mpi/transport.hpp>
#include <tutti/tutti.hpp>
