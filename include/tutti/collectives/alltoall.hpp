// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_alltoall.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/schedule/catalogue_alltoall.hpp>

namespace tutti {

/// An alltoall to be run many times; arguments as `alltoall`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoall(communicator<Transport>& comm, const In& in, Out&& out,
                              const Algorithm& how = {}) {
    const auto from = detail::input_of(in);
    const auto to = detail::output_of(out);
    detail::check_alike(from, to);
    const auto parts = detail::equal_parts("out", to.count, comm.size());
    return detail::make_plan<collective::alltoall>(
        comm, how, {.in = from, .out = to, .bytes = to.bytes(), .parts = &parts});
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!writable<Algorithm>)
plan<Transport> plan_alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    const auto data = detail::output_of(inout);
    const auto parts = detail::equal_parts("inout", data.count, comm.size());
    return detail::make_plan<collective::alltoall>(comm, how,
                                                   {.out = data, .bytes = data.bytes(), .parts = &parts});
}

/// Block j of rank i becomes block i of rank j.
///
/// `in` and `out` have size() equal blocks, the same on every rank, and share no memory; `in` is not written.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: bruck ceil(log2 p) rounds and about half the vector in each; pairwise p-1 rounds of one block.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    plan_alltoall(comm, in, out, how).run();
}

/// In place: works on a copy of `inout`.
template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!writable<Algorithm>)
void alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    plan_alltoall(comm, inout, how).run();
}

} // namespace tutti
