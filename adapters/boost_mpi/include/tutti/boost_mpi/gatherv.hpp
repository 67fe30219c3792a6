// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/boost_mpi/gather.hpp>
#include <tutti/collectives/gatherv.hpp>

namespace tutti {

/// Gives `root` the objects of all ranks, in the order of ranks; each may have any number of them.
///
/// `in` has counts[rank()] elements, zero allowed; `counts` is the same on every rank. On the root `out` has
/// as many elements as all counts together and shares no memory with `in`; on other ranks it is ignored.
/// Throws argument_error before the first message, collective_error on the way. Cost: as gather's of objects.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
void gatherv(boost_mpi::object_communicator& comm, const In& in, std::span<const std::int64_t> counts,
             Out&& out, rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked = detail::checked<collective::gather>(
        {detail::input_of(in), detail::output_of(out), root, counts}, comm.here());
    boost_mpi::detail::gather_to_root(call, std::span<const T>(in), std::span<T>(out), checked.parts, root,
                                      how);
}

/// In place: on the root `inout` has as many elements as all counts together, of which it has filled its own;
/// elsewhere it is the rank's own block, and not written.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::gather> Algorithm = automatic>
void gatherv(boost_mpi::object_communicator& comm, InOut&& inout, std::span<const std::int64_t> counts,
             rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::gather>({{}, detail::output_of(inout), root, counts}, comm.here());
    const std::span<T> data(inout);
    const std::span<const T> own = data.first(comm.rank() == root ? 0 : data.size());
    boost_mpi::detail::gather_to_root(call, own, data, checked.parts, root, how);
}

} // namespace tutti
