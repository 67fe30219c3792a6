// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/communicator.hpp>
#include <tutti/mpi/transport.hpp>

// After tutti's, which ask MPI's own header to leave its C++ bindings out.
#include <boost/mpi/communicator.hpp>

namespace tutti::boost_mpi {

namespace detail {
/// A base and not a member: it has to be there before the communicator that refers to it.
struct owned_transport {
    mpi::transport wires;
};
} // namespace detail

/// The ranks of a boost::mpi::communicator, for all of tutti's calls.
///
///     boost::mpi::communicator world;
///     tutti::boost_mpi::communicator comm{world};
///     tutti::allreduce(comm, numbers, boost::mpi::maximum<int>());
///
/// It is a tutti::communicator<tutti::mpi::transport> together with that transport: messages travel in a
/// duplicate of `group`, which need not outlive it. Making and destroying one is collective; destroy it
/// before boost::mpi::environment. What happens when a collective fails is told at tutti::mpi::transport. It
/// is neither copied nor moved.
class communicator : private detail::owned_transport, public tutti::communicator<mpi::transport> {
public:
    /// Throws argument_error for a communicator that is empty or between two groups, error if MPI is not
    /// running, transport_error with MPI's text if MPI fails. O(p) memory.
    explicit communicator(const boost::mpi::communicator& group)
        : owned_transport{mpi::transport(static_cast<MPI_Comm>(group))},
          tutti::communicator<mpi::transport>(wires) {}
};

} // namespace tutti::boost_mpi
