// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/collectives/allgather.hpp>

namespace tutti {

/// An allgatherv to be run many times; arguments as `allgatherv`. `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
plan<Transport> plan_allgatherv(communicator<Transport>& comm, const In& in,
                                std::span<const std::int64_t> counts, Out&& out, const Algorithm& how = {}) {
    const auto own = detail::input_of(in);
    const auto all = detail::output_of(out);
    const detail::per_rank_counts parts(counts, comm.size());
    detail::check_parts(own, all, parts, comm.rank());
    return detail::make_plan<collective::allgather>(
        comm, how, {.in = own, .out = all, .bytes = all.bytes(), .parts = &parts});
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
plan<Transport> plan_allgatherv(communicator<Transport>& comm, InOut&& inout,
                                std::span<const std::int64_t> counts, const Algorithm& how = {}) {
    const auto all = detail::output_of(inout);
    const detail::per_rank_counts parts(counts, comm.size());
    detail::check_whole("inout", all.count, parts);
    return detail::make_plan<collective::allgather>(comm, how,
                                                    {.out = all, .bytes = all.bytes(), .parts = &parts});
}

/// Gives every rank the blocks of all ranks, in the order of ranks. The blocks may have any length.
///
/// `in` has counts[rank()] elements, zero allowed; `counts` is the same on every rank; `out` has as many
/// elements as all counts together and shares no memory with `in`. Throws argument_error before the first
/// message, collective_error on the way. Every allgather algorithm serves: none moves a block to another
/// index. Cost: rounds as for allgather; how much a round takes depends on the longest blocks in it.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
                const Algorithm& how = {}) {
    plan_allgatherv(comm, in, counts, out, how).run();
}

/// In place: `inout` has as many elements as all counts together, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgatherv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                const Algorithm& how = {}) {
    plan_allgatherv(comm, inout, counts, how).run();
}

} // namespace tutti
