// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_alltoall.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/alltoall/catalogue.hpp>

namespace tutti {

namespace detail {
/// As many blocks of the same length in both as there are ranks.
void check_call(collective_constant<collective::alltoall>, collective_call& call, const place& here);

#if TUTTI_BODIES
TUTTI_BODY void check_call(collective_constant<collective::alltoall>, collective_call& call,
                           const place& here) {
    if (call.in_place()) return check_in_parts(call, here.size);
    check_vectors(call);
    call.parts = equal_parts("out", call.out.count, here.size);
}
#endif
} // namespace detail

/// An alltoall to be run many times; arguments as `alltoall`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoall(communicator<Transport>& comm, const In& in, Out&& out,
                              const Algorithm& how = {}) {
    return detail::make_plan<collective::alltoall>(comm, how, {detail::input_of(in), detail::output_of(out)});
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!readable<Algorithm>)
plan<Transport> plan_alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::make_plan<collective::alltoall>(comm, how, {{}, detail::output_of(inout)});
}

/// Block j of rank i becomes block i of rank j.
///
/// `in` and `out` have size() equal blocks, the same on every rank, and share no memory; `in` is not written.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: bruck ceil(log2 p) rounds and about half the vector in each; pairwise p-1 rounds of one block.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    detail::run_call<collective::alltoall>(comm, how, {detail::input_of(in), detail::output_of(out)});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
request ialltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    return detail::start_call<collective::alltoall>(comm, how,
                                                    {detail::input_of(in), detail::output_of(out)});
}

/// In place: works on a copy of `inout`.
template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!readable<Algorithm>)
void alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    detail::run_call<collective::alltoall>(comm, how, {{}, detail::output_of(inout)});
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!readable<Algorithm>)
request ialltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::start_call<collective::alltoall>(comm, how, {{}, detail::output_of(inout)});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::alltoall, Comm, Args...>>
Why alltoall(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::alltoall, Comm, Args...>>
Why ialltoall(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::alltoall, Comm, Args...>>
Why plan_alltoall(Comm&, Args&&...) = delete;

} // namespace tutti
