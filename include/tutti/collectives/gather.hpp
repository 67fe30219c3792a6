// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_gather.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/parts_at_root.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/gather/catalogue.hpp>

namespace tutti {

/// A gather to be run many times; arguments as `gather`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
plan<Transport> plan_gather(communicator<Transport>& comm, const In& in, Out&& out, rank_type root = 0,
                            const Algorithm& how = {}) {
    return detail::make_plan<collective::gather>(comm, how,
                                                 {detail::input_of(in), detail::output_of(out), root});
}

template <class Transport, writable InOut, algorithm_for<collective::gather> Algorithm = automatic>
plan<Transport> plan_gather(communicator<Transport>& comm, InOut&& inout, rank_type root = 0,
                            const Algorithm& how = {}) {
    return detail::make_plan<collective::gather>(comm, how, {{}, detail::output_of(inout), root});
}

/// Gives `root` the blocks of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank and is not written. On the root `out` has size() times
/// as many and shares no memory with it; on other ranks it is ignored and may be empty. Throws argument_error
/// before the first message, collective_error on the way. Cost: fnomial takes ceil(log_f p) rounds, in which
/// ranks inside the tree hand on what their subtrees have: the engine keeps memory as long as the whole
/// vector there, and touches no more of it than those blocks; serial sends every block straight, and needs
/// none.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
void gather(communicator<Transport>& comm, const In& in, Out&& out, rank_type root = 0,
            const Algorithm& how = {}) {
    detail::run_call<collective::gather>(comm, how, {detail::input_of(in), detail::output_of(out), root});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::gather> Algorithm = automatic>
request igather(communicator<Transport>& comm, const In& in, Out&& out, rank_type root = 0,
                const Algorithm& how = {}) {
    return detail::start_call<collective::gather>(comm, how,
                                                  {detail::input_of(in), detail::output_of(out), root});
}

/// In place: on the root `inout` has one block per rank, of which it has filled its own, and becomes the
/// result; elsewhere it is the rank's own block, and not written.
template <class Transport, writable InOut, algorithm_for<collective::gather> Algorithm = automatic>
void gather(communicator<Transport>& comm, InOut&& inout, rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::gather>(comm, how, {{}, detail::output_of(inout), root});
}

template <class Transport, writable InOut, algorithm_for<collective::gather> Algorithm = automatic>
request igather(communicator<Transport>& comm, InOut&& inout, rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::gather>(comm, how, {{}, detail::output_of(inout), root});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::move_slip<collective::gather, Comm, Args...>>
Why gather(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::gather, Comm, Args...>>
Why igather(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::gather, Comm, Args...>>
Why plan_gather(Comm&, Args&&...) = delete;

} // namespace tutti
