// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <tutti/boost_mpi/run_objects.hpp>
#include <tutti/collectives/reduce_scatter.hpp>

namespace tutti {

namespace boost_mpi::detail {
template <object T, class Op, class Algorithm>
void reduce_scatter_apart(const object_call& call, std::span<const T> in, std::span<T> out,
                          const tutti::detail::per_rank_counts& counts, const Op& op, const Algorithm& how) {
    std::vector<T> folded(in.size());
    run_parts<collective::reduce_scatter, T>(call, how, counts, {.input = in, .work = folded, .start = in},
                                             op);
    std::move(folded.begin() + counts.before(call.comm.rank()),
              folded.begin() + counts.before(call.comm.rank() + 1), out.begin());
}
} // namespace boost_mpi::detail

/// Folds the objects of all ranks, element by element, and gives rank r its r-th block of the result.
///
/// `in` has size() blocks as long as `out`, shares no memory with it and is not written. `op` is associative;
/// if it is not known to be commutative, only order-preserving algorithms are taken. Throws argument_error
/// before the first message, collective_error on the way; what `op` throws is handed on, and ends the call on
/// all other ranks. Cost: rounds as reduce_scatter's, and a copy of `in`; every message is two, its length
/// (16 bytes) and its payload.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          boost_mpi::object_operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(boost_mpi::object_communicator& comm, const In& in, Out&& out, Op op,
                    const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<const T> from(in);
    const std::span<T> to(out);
    const auto checked = detail::checked<collective::reduce_scatter>(
        {detail::input_of(in), detail::output_of(out)}, comm.here());
    boost_mpi::detail::reduce_scatter_apart(call, from, to, checked.parts, op, how);
}

/// With blocks of any length: counts[r] elements for rank r, zero allowed, the same counts on every rank.
template <boost_mpi::readable_objects In, boost_mpi::writable_objects_like<In> Out,
          boost_mpi::object_operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(boost_mpi::object_communicator& comm, const In& in, Out&& out,
                    std::span<const std::int64_t> counts, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const boost_mpi::detail::object_call call(comm);
    const std::span<const T> from(in);
    const std::span<T> to(out);
    const auto checked = detail::checked<collective::reduce_scatter>(
        {detail::input_of(in), detail::output_of(out), 0, counts}, comm.here());
    boost_mpi::detail::reduce_scatter_apart(call, from, to, checked.parts, op, how);
}

namespace boost_mpi::detail {
/// In place, with these parts.
template <class InOut, class Op, class Algorithm>
void reduce_scatter_in_place(const object_call& call, InOut& inout,
                             const tutti::detail::per_rank_counts& parts, Op& op, const Algorithm& how) {
    using T = tutti::detail::element_of<InOut>;
    const std::span<T> data(inout);
    run_parts<collective::reduce_scatter, T>(call, how, parts,
                                             {.input = data, .work = data, .in_place = true}, op);
}
} // namespace boost_mpi::detail

/// In place: `inout` has size() equal blocks; this rank's becomes its block of the result, the others are
/// scratch afterwards.
template <boost_mpi::writable_objects InOut, boost_mpi::object_operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(boost_mpi::object_communicator& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::reduce_scatter>({{}, detail::output_of(inout)}, comm.here());
    boost_mpi::detail::reduce_scatter_in_place(call, inout, checked.parts, op, how);
}

/// In place with blocks of any length: `inout` has counts[r] elements for rank r, block behind block.
template <boost_mpi::writable_objects InOut, boost_mpi::object_operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(boost_mpi::object_communicator& comm, InOut&& inout, std::span<const std::int64_t> counts,
                    Op op, const Algorithm& how = {}) {
    const boost_mpi::detail::object_call call(comm);
    const auto checked =
        detail::checked<collective::reduce_scatter>({{}, detail::output_of(inout), 0, counts}, comm.here());
    boost_mpi::detail::reduce_scatter_in_place(call, inout, checked.parts, op, how);
}

} // namespace tutti
