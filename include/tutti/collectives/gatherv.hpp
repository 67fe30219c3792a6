// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/collectives/gather.hpp>
#include <tutti/collectives/refused.hpp>

namespace tutti {

/// A gatherv to be run many times; arguments as `gatherv`. `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
plan<Transport> plan_gatherv(communicator<Transport>& comm, const In& in,
                             std::span<const std::int64_t> counts, Out&& out, rank_type root = 0,
                             const Algorithm& how = {}) {
    return detail::make_plan<collective::gather>(
        comm, how, {detail::input_of(in), detail::output_of(out), root, counts});
}

template <class Transport, writable InOut, algorithm_for<collective::gather> Algorithm = automatic>
plan<Transport> plan_gatherv(communicator<Transport>& comm, InOut&& inout,
                             std::span<const std::int64_t> counts, rank_type root = 0,
                             const Algorithm& how = {}) {
    return detail::make_plan<collective::gather>(comm, how, {{}, detail::output_of(inout), root, counts});
}

/// Gives `root` the blocks of all ranks, in the order of ranks. The blocks may have any length.
///
/// `in` has counts[rank()] elements, zero allowed; `counts` is the same on every rank (MPI asks only the root
/// for it: where others do not know it, a gather of one count per rank comes before). On the root `out` has
/// as many elements as all counts together and shares no memory with `in`; on other ranks it is ignored and
/// may be empty. Every gather algorithm serves that moves no block to another index. Throws argument_error
/// before the first message, collective_error on the way. Cost: as gather.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
void gatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
             rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::gather>(comm, how,
                                         {detail::input_of(in), detail::output_of(out), root, counts});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
request igatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
                 rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::gather>(
        comm, how, {detail::input_of(in), detail::output_of(out), root, counts});
}

/// In place: on the root `inout` has as many elements as all counts together, of which it has filled its own;
/// elsewhere it is the rank's own block, and not written.
template <class Transport, writable InOut, algorithm_for<collective::gather> Algorithm = automatic>
void gatherv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
             rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::gather>(comm, how, {{}, detail::output_of(inout), root, counts});
}

template <class Transport, writable InOut, algorithm_for<collective::gather> Algorithm = automatic>
request igatherv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                 rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::gather>(comm, how, {{}, detail::output_of(inout), root, counts});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::parts_slip<collective::gather, Comm, Args...>>
Why gatherv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::gather, Comm, Args...>>
Why igatherv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::gather, Comm, Args...>>
Why plan_gatherv(Comm&, Args&&...) = delete;

} // namespace tutti
