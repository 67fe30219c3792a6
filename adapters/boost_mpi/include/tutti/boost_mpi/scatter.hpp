// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/scatter.hpp>

namespace tutti {

namespace boost_mpi::detail {
/// `all` is the root's, which is not written: the schedule has memory of its own.
template <object T, class Algorithm>
void scatter_from_root(const object_call& call, std::span<const T> all, std::span<T> own,
                       const tutti::detail::per_rank_counts& parts, rank_type root, const Algorithm& how) {
    std::vector<T> room(all.begin(), all.end());
    room.resize(static_cast<std::size_t>(parts.total()));
    run_parts<collective::scatter, T>(call, how, parts, {.work = room}, nothing_folded{}, root);
    std::move(room.begin() + static_cast<std::ptrdiff_t>(parts.before(call.comm.rank())),
              room.begin()
                  + static_cast<std::ptrdiff_t>(parts.before(call.comm.rank())
                                                + static_cast<std::int64_t>(own.size())),
              own.begin());
}
} // namespace boost_mpi::detail

/// Gives every rank its objects of those of `root`, in the order of ranks.
///
/// `out` has the same number of elements on every rank. On the root `in` has size() times as many, shares no
/// memory with it and is not written; on other ranks it is ignored and may be empty. Throws argument_error
/// before the first message, collective_error on the way. Cost: rounds as scatter's, and everywhere memory
/// for all objects; every message is two, its length (16 bytes) and its payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
void scatter(boost_mpi::object_communicator& comm, const In& in, Out&& out, rank_type root = 0,
             const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked = detail::checked<collective::scatter>(
        {detail::input_of(in), detail::output_of(out), root}, comm.here());
    const std::span<const T> all(in);
    boost_mpi::detail::scatter_from_root(call, all.first(comm.rank() == root ? all.size() : 0),
                                         std::span<T>(out), checked.parts, root, how);
}

/// In place: on the root `inout` has one block per rank, and is not written; elsewhere it becomes the rank's
/// block.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::scatter> Algorithm = automatic>
void scatter(boost_mpi::object_communicator& comm, InOut&& inout, rank_type root = 0,
             const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::scatter>({{}, detail::output_of(inout), root}, comm.here());
    const std::span<T> data(inout);
    const bool is_root = comm.rank() == root;
    const std::span<const T> all = data.first(is_root ? data.size() : 0);
    boost_mpi::detail::scatter_from_root(call, all, data.first(is_root ? 0 : data.size()), checked.parts,
                                         root, how);
}

} // namespace tutti
