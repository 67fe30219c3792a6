// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_scatter.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/parts_at_root.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/scatter/catalogue.hpp>

namespace tutti {

/// A scatter to be run many times; arguments as `scatter`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
plan<Transport> plan_scatter(communicator<Transport>& comm, const In& in, Out&& out, rank_type root = 0,
                             const Algorithm& how = {}) {
    return detail::make_plan<collective::scatter>(comm, how,
                                                  {detail::input_of(in), detail::output_of(out), root});
}

template <class Transport, writable InOut, algorithm_for<collective::scatter> Algorithm = automatic>
plan<Transport> plan_scatter(communicator<Transport>& comm, InOut&& inout, rank_type root = 0,
                             const Algorithm& how = {}) {
    return detail::make_plan<collective::scatter>(comm, how, {{}, detail::output_of(inout), root});
}

/// Gives every rank its block of the vector of `root`, in the order of ranks.
///
/// `out` has the same number of elements on every rank. On the root `in` has size() times as many, shares no
/// memory with it and is not written; on other ranks it is ignored and may be empty. Throws argument_error
/// before the first message, collective_error on the way. Cost: fnomial takes ceil(log_f p) rounds, in which
/// ranks inside the tree hand on the blocks of their subtrees: the engine keeps memory as long as the whole
/// vector there, and touches no more of it than those blocks; serial sends every block straight, and needs
/// none.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
void scatter(communicator<Transport>& comm, const In& in, Out&& out, rank_type root = 0,
             const Algorithm& how = {}) {
    detail::run_call<collective::scatter>(comm, how, {detail::input_of(in), detail::output_of(out), root});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::scatter> Algorithm = automatic>
request iscatter(communicator<Transport>& comm, const In& in, Out&& out, rank_type root = 0,
                 const Algorithm& how = {}) {
    return detail::start_call<collective::scatter>(comm, how,
                                                   {detail::input_of(in), detail::output_of(out), root});
}

/// In place: on the root `inout` has one block per rank, and is not written: its own block stays where it
/// is; elsewhere it becomes the rank's block.
template <class Transport, writable InOut, algorithm_for<collective::scatter> Algorithm = automatic>
void scatter(communicator<Transport>& comm, InOut&& inout, rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::scatter>(comm, how, {{}, detail::output_of(inout), root});
}

template <class Transport, writable InOut, algorithm_for<collective::scatter> Algorithm = automatic>
request iscatter(communicator<Transport>& comm, InOut&& inout, rank_type root = 0,
                 const Algorithm& how = {}) {
    return detail::start_call<collective::scatter>(comm, how, {{}, detail::output_of(inout), root});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::move_slip<collective::scatter, Comm, Args...>>
Why scatter(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::scatter, Comm, Args...>>
Why iscatter(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::scatter, Comm, Args...>>
Why plan_scatter(Comm&, Args&&...) = delete;

} // namespace tutti
