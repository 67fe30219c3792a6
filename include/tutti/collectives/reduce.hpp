// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_reduce.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/reduce/catalogue.hpp>

namespace tutti {

namespace detail {
/// `out` matters on the root alone; in place, it is the input elsewhere.
void check_call(collective_constant<collective::reduce>, collective_call& call, const place& here);

#if TUTTI_BODIES
TUTTI_BODY void check_call(collective_constant<collective::reduce>, collective_call& call,
                           const place& here) {
    check_root(call.root, here.size);
    call.bytes = call.in_place() ? call.out.bytes() : call.in.bytes();
    if (here.rank == call.root) {
        if (!call.in_place()) check_alike(call.in, call.out);
        return;
    }
    if (call.in_place()) call.in = {call.out.data, call.out.count, call.out.element};
    call.out.data = nullptr;
}
#endif
} // namespace detail

/// A reduce to be run many times; arguments as `reduce`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
plan<Transport> plan_reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
                            const Algorithm& how = {}) {
    return detail::make_plan<collective::reduce>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), root});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
plan<Transport> plan_reduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
                            const Algorithm& how = {}) {
    return detail::make_plan<collective::reduce>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op), root});
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
    detail::run_call<collective::reduce>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), root});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
request ireduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
                const Algorithm& how = {}) {
    return detail::start_call<collective::reduce>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), root});
}

/// In place: `inout` is everybody's input and becomes the result on the root; elsewhere it is not written.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    detail::run_call<collective::reduce>(comm, how,
                                         {{}, detail::output_of(inout), detail::fold_by<InOut>(op), root});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
request ireduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
                const Algorithm& how = {}) {
    return detail::start_call<collective::reduce>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op), root});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::fold_slip<collective::reduce, Comm, Args...>>
Why reduce(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::reduce, Comm, Args...>>
Why ireduce(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::reduce, Comm, Args...>>
Why plan_reduce(Comm&, Args&&...) = delete;

} // namespace tutti
