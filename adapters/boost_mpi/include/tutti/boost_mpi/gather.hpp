// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/gather.hpp>

namespace tutti {

namespace boost_mpi::detail {
/// `all` is the root's; others, through which objects of their subtrees go, have memory of their own for
/// them.
template <object T, class Algorithm>
void gather_to_root(const object_call& call, std::span<const T> own, std::span<T> all,
                    const tutti::detail::per_rank_counts& parts, rank_type root, const Algorithm& how) {
    const rank_type me = call.comm.rank();
    std::vector<T> room(me == root ? 0 : static_cast<std::size_t>(parts.total()));
    run_parts<collective::gather, T>(
        call, how, parts, {.work = me == root ? all : room, .start = own, .start_at = parts.before(me)},
        nothing_folded{}, root);
}
} // namespace boost_mpi::detail

/// Gives `root` the objects of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank and is not written. On the root `out` has size() times
/// as many and shares no memory with it; on other ranks it is ignored and may be empty. Throws argument_error
/// before the first message, collective_error on the way. Cost: rounds as gather's, and everywhere memory for
/// all objects; every message is two, its length (16 bytes) and its payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
void gather(boost_mpi::object_communicator& comm, const In& in, Out&& out, rank_type root = 0,
            const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked = detail::checked<collective::gather>(
        {detail::input_of(in), detail::output_of(out), root}, comm.here());
    boost_mpi::detail::gather_to_root(call, std::span<const T>(in), std::span<T>(out), checked.parts, root,
                                      how);
}

/// In place: on the root `inout` has one block per rank, of which it has filled its own, and becomes the
/// result; elsewhere it is the rank's own block, and not written.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::gather> Algorithm = automatic>
void gather(boost_mpi::object_communicator& comm, InOut&& inout, rank_type root = 0,
            const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::gather>({{}, detail::output_of(inout), root}, comm.here());
    const std::span<T> data(inout);
    const std::span<const T> own = data.first(comm.rank() == root ? 0 : data.size());
    boost_mpi::detail::gather_to_root(call, own, data, checked.parts, root, how);
}

} // namespace tutti
