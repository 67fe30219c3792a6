// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/boost_mpi/allgather.hpp>
#include <tutti/collectives/allgatherv.hpp>

namespace tutti {

/// Gives every rank the objects of all ranks, in the order of ranks; each may have any number of them.
///
/// `in` has counts[rank()] elements, zero allowed; `counts` is the same on every rank; `out` has as many
/// elements as all counts together and shares no memory with `in`. Throws argument_error before the first
/// message, collective_error on the way. Cost: as allgather's of objects.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!boost_mpi::readable_objects<Algorithm>)
void allgatherv(boost_mpi::object_communicator& comm, const In& in, std::span<const std::int64_t> counts,
                Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<const T> own(in);
    const std::span<T> all(out);
    const auto checked = detail::checked<collective::allgather>(
        {detail::input_of(in), detail::output_of(out), 0, counts}, comm.here());
    boost_mpi::detail::gather_parts(call, own, all, checked.parts, how);
}

/// In place: `inout` has as many elements as all counts together, of which this rank has filled its own.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!boost_mpi::readable_objects<Algorithm>)
void allgatherv(boost_mpi::object_communicator& comm, InOut&& inout, std::span<const std::int64_t> counts,
                const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<T> all(inout);
    const auto checked =
        detail::checked<collective::allgather>({{}, detail::output_of(inout), 0, counts}, comm.here());
    boost_mpi::detail::gather_parts(call, std::span<const T>(), all, checked.parts, how);
}

} // namespace tutti
