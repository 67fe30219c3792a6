// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_exscan.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/exscan/catalogue.hpp>

namespace tutti {

namespace detail {
inline void check_call(collective_constant<collective::exscan>, collective_call& call, const place&) {
    check_vectors(call);
}
} // namespace detail

/// An exscan to be run many times; arguments as `exscan`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
plan<Transport> plan_exscan(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                            const Algorithm& how = {}) {
    return detail::make_plan<collective::exscan>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
plan<Transport> plan_exscan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    return detail::make_plan<collective::exscan>(comm, how,
                                                 {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// Gives rank r the fold of the vectors of ranks 0 to r-1, in that order; `out` of rank 0 is left as it is.
///
/// `in` and `out` have the same number of elements, the same on every rank, and share no memory; `in` is not
/// written. `op` is associative. Throws argument_error before the first message, collective_error on the way.
/// Cost: doubling_123 and census take about ceil(log2 p) rounds of the whole vector, chain p - 2 + S of 1/S
/// of it.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
void exscan(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::exscan>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
request iexscan(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::exscan>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// In place: works on a copy of `inout`.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
void exscan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::exscan>(comm, how,
                                         {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
request iexscan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::exscan>(comm, how,
                                                  {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::fold_slip<collective::exscan, Comm, Args...>>
Why exscan(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::exscan, Comm, Args...>>
Why iexscan(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::exscan, Comm, Args...>>
Why plan_exscan(Comm&, Args&&...) = delete;

} // namespace tutti
