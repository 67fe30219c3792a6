// SPDX-License-Identifier: BSL-1.0
#pragma once

/// tutti for programs that use Boost.MPI: the same calls, on numbers and on whatever Boost.Serialization can
/// take apart.
///
///     boost::mpi::communicator world;
///     tutti::boost_mpi::communicator comm{world};
///     tutti::allreduce(comm, numbers, boost::mpi::maximum<int>());
///     tutti::bcast(comm, strings);
///
/// Elements that are trivially copyable travel as bytes, by all of tutti's calls and plans. Others travel
/// serialised by bcast, reduce, allreduce, reduce_scatter, allgather, allgatherv, gather, gatherv, scatter,
/// scatterv, alltoall, scan and exscan, by the same algorithms; there are no plans and no multicast of them.
/// A message of them, and so each of them, is shorter than 2 GiB. Include the headers of Boost.Serialization
/// for the types that they are made of.

#include <tutti/boost_mpi/allgather.hpp>
#include <tutti/boost_mpi/allgatherv.hpp>
#include <tutti/boost_mpi/allreduce.hpp>
#include <tutti/boost_mpi/alltoall.hpp>
#include <tutti/boost_mpi/bcast.hpp>
#include <tutti/boost_mpi/communicator.hpp>
#include <tutti/boost_mpi/exscan.hpp>
#include <tutti/boost_mpi/gather.hpp>
#include <tutti/boost_mpi/gatherv.hpp>
#include <tutti/boost_mpi/operation.hpp>
#include <tutti/boost_mpi/reduce.hpp>
#include <tutti/boost_mpi/reduce_scatter.hpp>
#include <tutti/boost_mpi/scan.hpp>
#include <tutti/boost_mpi/scatter.hpp>
#include <tutti/boost_mpi/scatterv.hpp>
#include <tutti/mpi.hpp>
