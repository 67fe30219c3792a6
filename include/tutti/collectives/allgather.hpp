// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_allgather.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/schedule/catalogue_allgather.hpp>

namespace tutti {

/// An allgather to be run many times; arguments as `allgather`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
plan<Transport> plan_allgather(communicator<Transport>& comm, const In& in, Out&& out,
                               const Algorithm& how = {}) {
    const auto own = detail::input_of(in);
    const auto all = detail::output_of(out);
    detail::check_count("out", all.count, own.count * static_cast<std::size_t>(comm.size()),
                        "one block as long as in per rank");
    detail::check_apart(own, all);
    const detail::per_rank_counts parts(static_cast<std::int64_t>(own.count), comm.size());
    return detail::make_plan<collective::allgather>(
        comm, how, {.in = own, .out = all, .bytes = all.bytes(), .parts = &parts});
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
plan<Transport> plan_allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    const auto all = detail::output_of(inout);
    const auto parts = detail::equal_parts("inout", all.count, comm.size());
    return detail::make_plan<collective::allgather>(comm, how,
                                                    {.out = all, .bytes = all.bytes(), .parts = &parts});
}

/// Gives every rank the blocks of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank; `out` has size() times as many and shares no memory
/// with it. Throws argument_error before the first message, collective_error on the way. Cost: circulant
/// takes ceil(log2 p) rounds and receives (p-1)/p of `out`, both the least possible.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
void allgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    plan_allgather(comm, in, out, how).run();
}

/// In place: `inout` has size() equal blocks, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    plan_allgather(comm, inout, how).run();
}

} // namespace tutti
