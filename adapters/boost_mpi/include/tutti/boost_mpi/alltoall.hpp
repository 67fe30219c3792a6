// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/alltoall.hpp>

namespace tutti {

/// Block j of rank i becomes block i of rank j.
///
/// `in` and `out` have size() equal blocks of objects, the same on every rank, and share no memory; `in` is
/// not written. Throws argument_error before the first message, collective_error on the way. Cost: rounds as
/// alltoall's; every message is two, its length (16 bytes) and its payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoall(boost_mpi::object_communicator& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::alltoall>({detail::input_of(in), detail::output_of(out)}, comm.here());
    boost_mpi::detail::run_parts<collective::alltoall, T>(
        call, how, checked.parts, {.input = std::span<const T>(in), .work = std::span<T>(out)},
        boost_mpi::detail::nothing_folded{});
}

/// In place: works on a copy of `inout`.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!boost_mpi::readable_objects<Algorithm>)
void alltoall(boost_mpi::object_communicator& comm, InOut&& inout, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<T> data(inout);
    const auto checked = detail::checked<collective::alltoall>({{}, detail::output_of(inout)}, comm.here());
    boost_mpi::detail::run_parts<collective::alltoall, T>(call, how, checked.parts,
                                                          {.input = data, .work = data, .in_place = true},
                                                          boost_mpi::detail::nothing_folded{});
}

} // namespace tutti
