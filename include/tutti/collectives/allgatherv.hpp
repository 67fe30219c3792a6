// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>

namespace tutti {

/// An allgatherv to be run many times; arguments as `allgatherv`. `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
plan<Transport> plan_allgatherv(communicator<Transport>& comm, const In& in,
                                std::span<const std::int64_t> counts, Out&& out, const Algorithm& how = {}) {
    return detail::make_plan<collective::allgather>(
        comm, how, {detail::input_of(in), detail::output_of(out), 0, counts});
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
plan<Transport> plan_allgatherv(communicator<Transport>& comm, InOut&& inout,
                                std::span<const std::int64_t> counts, const Algorithm& how = {}) {
    return detail::make_plan<collective::allgather>(comm, how, {{}, detail::output_of(inout), 0, counts});
}

/// Gives every rank the blocks of all ranks, in the order of ranks. The blocks may have any length.
///
/// `in` has counts[rank()] elements, zero allowed; `counts` is the same on every rank; `out` has as many
/// elements as all counts together and shares no memory with `in`. Throws argument_error before the first
/// message, collective_error on the way. Every allgather algorithm serves: none moves a block to another
/// index. Cost: rounds as for allgather; how much a round takes depends on the longest blocks in it.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
void allgatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
                const Algorithm& how = {}) {
    detail::run_call<collective::allgather>(comm, how,
                                            {detail::input_of(in), detail::output_of(out), 0, counts});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
request iallgatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts,
                    Out&& out, const Algorithm& how = {}) {
    return detail::start_call<collective::allgather>(
        comm, how, {detail::input_of(in), detail::output_of(out), 0, counts});
}

/// In place: `inout` has as many elements as all counts together, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
void allgatherv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                const Algorithm& how = {}) {
    detail::run_call<collective::allgather>(comm, how, {{}, detail::output_of(inout), 0, counts});
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!readable<Algorithm>)
request iallgatherv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                    const Algorithm& how = {}) {
    return detail::start_call<collective::allgather>(comm, how, {{}, detail::output_of(inout), 0, counts});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::parts_slip<collective::allgather, Comm, Args...>>
Why allgatherv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::allgather, Comm, Args...>>
Why iallgatherv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::allgather, Comm, Args...>>
Why plan_allgatherv(Comm&, Args&&...) = delete;

} // namespace tutti
