// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_reduce.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/schedule/catalogue_reduce.hpp>

namespace tutti {

/// A reduce to be run many times; arguments as `reduce`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
plan<Transport> plan_reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
                            const Algorithm& how = {}) {
    detail::check_root(root, comm.size());
    const auto from = detail::input_of(in);
    auto to = detail::output_of(out);
    if (comm.rank() == root)
        detail::check_alike(from, to);
    else
        to.data = nullptr;
    return detail::make_plan<collective::reduce>(
        comm, how,
        {.in = from, .out = to, .bytes = from.bytes(), .by = detail::by<In>(std::move(op)), .root = root});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
plan<Transport> plan_reduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
                            const Algorithm& how = {}) {
    detail::check_root(root, comm.size());
    auto from = detail::input_of(inout);
    auto to = detail::output_of(inout);
    const std::int64_t bytes = to.bytes();
    if (comm.rank() == root)
        from.data = nullptr;
    else
        to.data = nullptr;
    return detail::make_plan<collective::reduce>(
        comm, how,
        {.in = from, .out = to, .bytes = bytes, .by = detail::by<InOut>(std::move(op)), .root = root});
}

/// Folds the vectors of all ranks, element by element, and gives the result to `root`.
///
/// `in` has the same number of elements on every rank and is not written. On the root `out` has as many and
/// shares no memory with `in`; on other ranks it is ignored and may be empty. `op` is associative; if it is
/// not known to be commutative, only order-preserving algorithms are taken. Throws argument_error before the
/// first message, collective_error on the way. Cost: that of the algorithm, e.g. fnomial ceil(log_f p) rounds
/// of the whole vector.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    plan_reduce(comm, in, out, std::move(op), root, how).run();
}

/// In place: `inout` is everybody's input and becomes the result on the root; elsewhere it is not written.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    plan_reduce(comm, inout, std::move(op), root, how).run();
}

} // namespace tutti
