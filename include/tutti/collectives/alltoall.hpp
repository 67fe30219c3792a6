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
collective_call call_of_alike_parts(const input_bytes& in, const output_bytes& out, rank_type size);

#if TUTTI_BODIES
TUTTI_BODY collective_call call_of_alike_parts(const input_bytes& in, const output_bytes& out,
                                               rank_type size) {
    collective_call call = call_of_alike(in, out);
    call.parts = equal_parts("out", out.count, size);
    return call;
}
#endif
} // namespace detail

/// An alltoall to be run many times; arguments as `alltoall`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoall(communicator<Transport>& comm, const In& in, Out&& out,
                              const Algorithm& how = {}) {
    return detail::make_plan<collective::alltoall>(comm, how, [&] {
        return detail::call_of_alike_parts(detail::input_of(in), detail::output_of(out), comm.size());
    });
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!writable<Algorithm>)
plan<Transport> plan_alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::make_plan<collective::alltoall>(
        comm, how, [&] { return detail::call_in_parts(detail::output_of(inout), comm.size()); });
}

/// Block j of rank i becomes block i of rank j.
///
/// `in` and `out` have size() equal blocks, the same on every rank, and share no memory; `in` is not written.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: bruck ceil(log2 p) rounds and about half the vector in each; pairwise p-1 rounds of one block.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    detail::run_call<collective::alltoall>(comm, how, [&] {
        return detail::call_of_alike_parts(detail::input_of(in), detail::output_of(out), comm.size());
    });
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
request ialltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    return detail::start_call<collective::alltoall>(comm, how, [&] {
        return detail::call_of_alike_parts(detail::input_of(in), detail::output_of(out), comm.size());
    });
}

/// In place: works on a copy of `inout`.
template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!writable<Algorithm>)
void alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    detail::run_call<collective::alltoall>(
        comm, how, [&] { return detail::call_in_parts(detail::output_of(inout), comm.size()); });
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!writable<Algorithm>)
request ialltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::start_call<collective::alltoall>(
        comm, how, [&] { return detail::call_in_parts(detail::output_of(inout), comm.size()); });
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::alltoall, Comm, Args...>>
Why alltoall(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::alltoall, Comm, Args...>>
Why ialltoall(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::alltoall, Comm, Args...>>
Why plan_alltoall(Comm&, Args&&...) = delete;

} // namespace tutti
