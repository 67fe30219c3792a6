// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_scan.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/scan/catalogue.hpp>

namespace tutti {

namespace detail {
inline void check_call(collective_constant<collective::scan>, collective_call& call, const place&) {
    check_vectors(call);
}
} // namespace detail

/// A scan to be run many times; arguments as `scan`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
plan<Transport> plan_scan(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                          const Algorithm& how = {}) {
    return detail::make_plan<collective::scan>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
plan<Transport> plan_scan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    return detail::make_plan<collective::scan>(comm, how,
                                               {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// Gives rank r the fold of the vectors of ranks 0 to r, in that order.
///
/// `in` and `out` have the same number of elements, the same on every rank, and share no memory; `in` is not
/// written. `op` is associative. Throws argument_error before the first message, collective_error on the way.
/// Cost: hillis_steele takes ceil(log2 p) rounds of the whole vector, chain p - 2 + S and binary_tree
/// 2 floor(log2 p) + S - 1 of 1/S of it.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
void scan(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::scan>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
request iscan(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::scan>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// In place: `inout` is the input and becomes the result.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
void scan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::scan>(comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::scan> Algorithm = automatic>
request iscan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::scan>(comm, how,
                                                {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::fold_slip<collective::scan, Comm, Args...>>
Why scan(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::scan, Comm, Args...>>
Why iscan(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::scan, Comm, Args...>>
Why plan_scan(Comm&, Args&&...) = delete;

} // namespace tutti
