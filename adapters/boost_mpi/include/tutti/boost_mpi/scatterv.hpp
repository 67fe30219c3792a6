// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/boost_mpi/scatter.hpp>
#include <tutti/collectives/scatterv.hpp>

namespace tutti {

/// Gives every rank its objects of those of `root`, in the order of ranks; each may get any number of them.
///
/// `out` has counts[rank()] elements, zero allowed; `counts` is the same on every rank. On the root `in` has
/// as many elements as all counts together, shares no memory with `out` and is not written; on other ranks it
/// is ignored. Throws argument_error before the first message, collective_error on the way. Cost: as
/// scatter's of objects.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
void scatterv(boost_mpi::object_communicator& comm, const In& in, std::span<const std::int64_t> counts,
              Out&& out, rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked = detail::checked<collective::scatter>(
        {detail::input_of(in), detail::output_of(out), root, counts}, comm.here());
    const std::span<const T> all(in);
    boost_mpi::detail::scatter_from_root(call, all.first(comm.rank() == root ? all.size() : 0),
                                         std::span<T>(out), checked.parts, root, how);
}

/// In place: on the root `inout` has as many elements as all counts together, and is not written; elsewhere
/// it becomes the rank's block.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::scatter> Algorithm = automatic>
void scatterv(boost_mpi::object_communicator& comm, InOut&& inout, std::span<const std::int64_t> counts,
              rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::scatter>({{}, detail::output_of(inout), root, counts}, comm.here());
    const std::span<T> data(inout);
    const bool is_root = comm.rank() == root;
    const std::span<const T> all = data.first(is_root ? data.size() : 0);
    boost_mpi::detail::scatter_from_root(call, all, data.first(is_root ? 0 : data.size()), checked.parts,
                                         root, how);
}

} // namespace tutti
