// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/collectives/refused.hpp>
#include <tutti/collectives/scatter.hpp>

namespace tutti {

/// A scatterv to be run many times; arguments as `scatterv`. `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
plan<Transport> plan_scatterv(communicator<Transport>& comm, const In& in,
                              std::span<const std::int64_t> counts, Out&& out, rank_type root = 0,
                              const Algorithm& how = {}) {
    return detail::make_plan<collective::scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), root, counts});
}

template <class Transport, writable InOut, algorithm_for<collective::scatter> Algorithm = automatic>
plan<Transport> plan_scatterv(communicator<Transport>& comm, InOut&& inout,
                              std::span<const std::int64_t> counts, rank_type root = 0,
                              const Algorithm& how = {}) {
    return detail::make_plan<collective::scatter>(comm, how, {{}, detail::output_of(inout), root, counts});
}

/// Gives every rank its block of the vector of `root`, in the order of ranks. The blocks may have any length.
///
/// `out` has counts[rank()] elements, zero allowed; `counts` is the same on every rank (MPI asks only the
/// root for it: where others know no more than their own, a bcast of the counts comes before). On the root
/// `in` has as many elements as all counts together, shares no memory with `out` and is not written; on other
/// ranks it is ignored and may be empty. Every scatter algorithm serves that moves no block to another index.
/// Throws argument_error before the first message, collective_error on the way. Cost: as scatter.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
void scatterv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
              rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::scatter>(comm, how,
                                          {detail::input_of(in), detail::output_of(out), root, counts});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
request iscatterv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts,
                  Out&& out, rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), root, counts});
}

/// In place: on the root `inout` has as many elements as all counts together, and is not written: its own
/// block stays where it is; elsewhere it becomes the rank's block.
template <class Transport, writable InOut, algorithm_for<collective::scatter> Algorithm = automatic>
void scatterv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
              rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::scatter>(comm, how, {{}, detail::output_of(inout), root, counts});
}

template <class Transport, writable InOut, algorithm_for<collective::scatter> Algorithm = automatic>
request iscatterv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                  rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::scatter>(comm, how, {{}, detail::output_of(inout), root, counts});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::parts_slip<collective::scatter, Comm, Args...>>
Why scatterv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::scatter, Comm, Args...>>
Why iscatterv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::scatter, Comm, Args...>>
Why plan_scatterv(Comm&, Args&&...) = delete;

} // namespace tutti
