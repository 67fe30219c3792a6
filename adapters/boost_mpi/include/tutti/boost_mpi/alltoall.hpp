// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/alltoall.hpp>

namespace tutti {

namespace boost_mpi::detail {
template <object T, class Algorithm>
void exchange(object_communicator& comm, const object_buffers<T>& buffers, const Algorithm& how) {
    run_parts<collective::alltoall, T>(
        comm, how,
        tutti::detail::equal_parts(buffers.in_place ? "inout" : "out", buffers.work.size(), comm.size()),
        buffers, nothing_folded{});
}
} // namespace boost_mpi::detail

/// Block j of rank i becomes block i of rank j.
///
/// `in` and `out` have size() equal blocks of objects, the same on every rank, and share no memory; `in` is
/// not written. Throws argument_error before the first message, collective_error on the way. Cost: rounds as
/// alltoall's; every message is two, its length (16 bytes) and its payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoall(boost_mpi::object_communicator& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> from(in);
    const std::span<T> to(out);
    detail::check_alike(detail::input_of(in), detail::output_of(out));
    boost_mpi::detail::exchange<T>(comm, {.input = from, .work = to}, how);
}

/// In place: works on a copy of `inout`.
template <boost_mpi::writable_objects InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!boost_mpi::writable_objects<Algorithm>)
void alltoall(boost_mpi::object_communicator& comm, InOut&& inout, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const std::span<T> data(inout);
    boost_mpi::detail::exchange<T>(comm, {.input = data, .work = data, .in_place = true}, how);
}

} // namespace tutti
