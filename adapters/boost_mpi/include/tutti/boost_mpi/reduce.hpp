// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <vector>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/reduce.hpp>

namespace tutti {

namespace boost_mpi::detail {
/// Where `in` must not be written and nobody gets the result: folds in memory of its own.
template <object T, class Op, class Algorithm>
void contribute(const object_call& call, std::span<const T> in, const Op& op, rank_type root,
                const Algorithm& how) {
    std::vector<T> folded(in.size());
    run_whole<collective::reduce, T>(call, how, {.input = in, .work = folded, .start = in}, op, root);
}
} // namespace boost_mpi::detail

/// Folds the objects of all ranks, element by element, and gives the result to `root`.
///
/// `in` has the same number of elements on every rank and is not written. On the root `out` has as many and
/// shares no memory with `in`; on other ranks it is ignored and may be empty. `op` is associative; if it is
/// not known to be commutative, only order-preserving algorithms are taken. Throws argument_error before the
/// first message, collective_error on the way; what `op` throws is handed on, and ends the call on all other
/// ranks. Cost: rounds as reduce's, and a copy of `in`; every message is two, its length (16 bytes) and its
/// payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          boost_mpi::object_operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(boost_mpi::object_communicator& comm, const In& in, Out&& out, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    detail::check_root(root, comm.size());
    const std::span<const T> from(in);
    if (comm.rank() != root) return boost_mpi::detail::contribute(call, from, op, root, how);
    const std::span<T> to(out);
    detail::check_alike(detail::input_of(in), detail::output_of(out));
    boost_mpi::detail::run_whole<collective::reduce, T>(call, how, {.input = from, .work = to, .start = from},
                                                        op, root);
}

/// In place: `inout` is everybody's input and becomes the result on the root; elsewhere it is not written.
template <boost_mpi::writable_objects InOut, boost_mpi::object_operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(boost_mpi::object_communicator& comm, InOut&& inout, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const boost_mpi::detail::object_call call(comm);
    detail::check_root(root, comm.size());
    const std::span<T> data(inout);
    if (comm.rank() != root)
        return boost_mpi::detail::contribute(call, std::span<const T>(data), op, root, how);
    boost_mpi::detail::run_whole<collective::reduce, T>(
        call, how, {.input = data, .work = data, .in_place = true}, op, root);
}

} // namespace tutti
