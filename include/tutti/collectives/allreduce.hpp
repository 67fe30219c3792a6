// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_allreduce.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/allreduce/catalogue.hpp>

namespace tutti {

namespace detail {
inline void check_call(collective_constant<collective::allreduce>, collective_call& call, const place&) {
    check_vectors(call);
}
} // namespace detail

/// An allreduce to be run many times; arguments as `allreduce`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
plan<Transport> plan_allreduce(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                               const Algorithm& how = {}) {
    return detail::make_plan<collective::allreduce>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
plan<Transport> plan_allreduce(communicator<Transport>& comm, InOut&& inout, Op op,
                               const Algorithm& how = {}) {
    return detail::make_plan<collective::allreduce>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// Folds the vectors of all ranks, element by element, and gives every rank the result.
///
/// `in` and `out` have the same number of elements, the same on every rank, and share no memory; `in` is not
/// written. `op` is associative; if it is not known to be commutative (see is_commutative), only
/// order-preserving algorithms are taken. `how` names an algorithm; by default one is chosen from size, bytes
/// and commutativity. Throws argument_error before the first message, collective_error on the way. Cost: that
/// of the algorithm, e.g. recursive_doubling ceil(log2 p) rounds of the whole vector, halving_doubling and
/// circulant 2 log2 p rounds and 2 (p-1)/p of it.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
void allreduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::allreduce>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
request iallreduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::allreduce>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// In place: `inout` is the input and becomes the result.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
void allreduce(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::allreduce>(comm, how,
                                            {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
request iallreduce(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::allreduce>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::fold_slip<collective::allreduce, Comm, Args...>>
Why allreduce(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::allreduce, Comm, Args...>>
Why iallreduce(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::allreduce, Comm, Args...>>
Why plan_allreduce(Comm&, Args&&...) = delete;

} // namespace tutti
