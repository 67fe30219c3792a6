// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/allgather.hpp>

namespace tutti {

namespace boost_mpi::detail {
/// `own` is empty for a call in place.
template <object T, class Algorithm>
void gather_parts(const object_call& call, std::span<const T> own, std::span<T> all,
                  const tutti::detail::per_rank_counts& counts, const Algorithm& how) {
    run_parts<collective::allgather, T>(
        call, how, counts, {.work = all, .start = own, .start_at = counts.before(call.comm.rank())},
        nothing_folded{});
}
} // namespace boost_mpi::detail

/// Gives every rank the objects of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank; `out` has size() times as many and shares no memory
/// with it. Throws argument_error before the first message, collective_error on the way. Cost: rounds as
/// allgather's; every message is two, its length (16 bytes) and its payload. Objects that pass through a rank
/// are put together there and taken apart again.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
void allgather(boost_mpi::object_communicator& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<const T> own(in);
    const std::span<T> all(out);
    const auto checked =
        detail::checked<collective::allgather>({detail::input_of(in), detail::output_of(out)}, comm.here());
    boost_mpi::detail::gather_parts(call, own, all, checked.parts, how);
}

/// In place: `inout` has size() equal blocks, of which this rank has filled its own.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!boost_mpi::readable_objects<Algorithm>)
void allgather(boost_mpi::object_communicator& comm, InOut&& inout, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<T> all(inout);
    const auto checked = detail::checked<collective::allgather>({{}, detail::output_of(inout)}, comm.here());
    boost_mpi::detail::gather_parts(call, std::span<const T>(), all, checked.parts, how);
}

} // namespace tutti
