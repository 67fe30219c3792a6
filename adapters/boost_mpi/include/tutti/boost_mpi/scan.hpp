// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/scan.hpp>

namespace tutti {

/// Gives rank r the fold of the objects of ranks 0 to r, in that order.
///
/// `in` and `out` have the same number of elements, the same on every rank, and share no memory; `in` is not
/// written. `op` is associative. Throws argument_error before the first message, collective_error on the way;
/// what `op` throws is handed on, and ends the call on all other ranks. Cost: rounds as scan's, and a copy of
/// `in`; every message is two, its length (16 bytes) and its payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          boost_mpi::object_operation<detail::element_of<In>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
void scan(boost_mpi::object_communicator& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<const T> from(in);
    const std::span<T> to(out);
    detail::check_alike(detail::input_of(in), detail::output_of(out));
    boost_mpi::detail::run_whole<collective::scan, T>(call, how, {.input = from, .work = to, .start = from},
                                                      op);
}

/// In place: `inout` is the input and becomes the result.
template <boost_mpi::writable_objects InOut, boost_mpi::object_operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
void scan(boost_mpi::object_communicator& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<T> data(inout);
    boost_mpi::detail::run_whole<collective::scan, T>(call, how,
                                                      {.input = data, .work = data, .in_place = true}, op);
}

} // namespace tutti
