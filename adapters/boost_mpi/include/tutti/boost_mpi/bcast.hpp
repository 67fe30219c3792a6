// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/bcast.hpp>

namespace tutti {

/// Gives every rank the root's objects; `data` has the same number of them on every rank.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: rounds as bcast's; every message is two, its length (16 bytes) and its payload.
template <boost_mpi::writable_objects Data, algorithm_for<collective::bcast> Algorithm = automatic>
void bcast(boost_mpi::object_communicator& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<Data>;
    const boost_mpi::detail::object_call call(comm);
    detail::check_root(root, comm.size());
    boost_mpi::detail::run_whole<collective::bcast, T>(call, how, {.work = std::span<T>(data)},
                                                       boost_mpi::detail::nothing_folded{}, root);
}

} // namespace tutti
