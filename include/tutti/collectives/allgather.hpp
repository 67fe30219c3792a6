// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_allgather.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/allgather/catalogue.hpp>

namespace tutti {

namespace detail {
/// Own block in, those of all ranks out; counts[r] elements of rank r, if they were listed.
void check_call(collective_constant<collective::allgather>, collective_call& call, const place& here);

#if TUTTI_BODIES
TUTTI_BODY void check_call(collective_constant<collective::allgather>, collective_call& call,
                           const place& here) {
    if (call.in_place()) return check_in_parts(call, here.size);
    call.parts = parts_given(call, call.in.count, here.size);
    check_own_part("in", call.in, call.parts, here.rank);
    check_all_parts("out", call.out, call.parts, "one block as long as in per rank");
    check_apart(call.in, call.out);
    call.bytes = call.out.bytes();
}
#endif
} // namespace detail

/// An allgather to be run many times; arguments as `allgather`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
plan<Transport> plan_allgather(communicator<Transport>& comm, const In& in, Out&& out,
                               const Algorithm& how = {}) {
    return detail::make_plan<collective::allgather>(comm, how,
                                                    {detail::input_of(in), detail::output_of(out)});
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
plan<Transport> plan_allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::make_plan<collective::allgather>(comm, how, {{}, detail::output_of(inout)});
}

/// Gives every rank the blocks of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank; `out` has size() times as many and shares no memory
/// with it. Throws argument_error before the first message, collective_error on the way. Cost: circulant
/// takes ceil(log2 p) rounds and receives (p-1)/p of `out`, both the least possible.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
void allgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    detail::run_call<collective::allgather>(comm, how, {detail::input_of(in), detail::output_of(out)});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
request iallgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    return detail::start_call<collective::allgather>(comm, how,
                                                     {detail::input_of(in), detail::output_of(out)});
}

/// In place: `inout` has size() equal blocks, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
void allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    detail::run_call<collective::allgather>(comm, how, {{}, detail::output_of(inout)});
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
request iallgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::start_call<collective::allgather>(comm, how, {{}, detail::output_of(inout)});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::allgather, Comm, Args...>>
Why allgather(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::allgather, Comm, Args...>>
Why iallgather(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::allgather, Comm, Args...>>
Why plan_allgather(Comm&, Args&&...) = delete;

} // namespace tutti
