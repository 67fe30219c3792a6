// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <tutti/collectives/by_pairs.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/collectives/relayed_parts.hpp>
#include <tutti/collectives/relayed_request.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti {

namespace detail {

/// The task of an alltoallv. Which schedule it is may not depend on lengths, of which each
/// rank has its own: pairwise, with some messages at a time, unless another one is named.
template <class Transport, class Algorithm>
task make_alltoallv(communicator<Transport>& comm, const Algorithm& how, const call_by_pairs& call) {
    if constexpr (std::same_as<Algorithm, automatic>)
        return make_task_by_pairs(
            comm.here(), call,
            generate(of<collective::alltoall>, flow_controlled<pairwise>{{}, 16}, comm.here()), "pairwise");
    else
        return make_task_by_pairs(comm.here(), call, generate(of<collective::alltoall>, how, comm.here()),
                                  name_of_algorithm(how));
}

/// Whether parts go through other ranks: what all agree in, but where `how` is refused, as a call will tell.
template <class Algorithm>
bool relays(const Algorithm& how, const place& at) {
    try {
        return passes_on(generate(of<collective::alltoall>, how, at).claims(), at.size);
    } catch (const argument_error&) {
        return true;
    }
}

/// The parts of a call, to go by such an algorithm.
template <class Algorithm>
relayed_parts parts_of(const Algorithm& how, call_by_pairs& call, const place& at) {
    check_pairs(call, at);
    relayed_parts mine(at, generate(of<collective::alltoall>, how, at), call.out.element);
    mine.put(call.sent, call.in_place() ? call.out.data : call.in.data);
    return mine;
}

template <class Transport, class Algorithm>
void relay_call(communicator<Transport>& comm, const Algorithm& how, call_by_pairs& call) {
    const relayed_parts parts = relay(comm, [&] { return parts_of(how, call, comm.here()); });
    parts.check(call.received);
    parts.take(call.out.data);
}

template <class Transport, class Algorithm>
request start_relay(communicator<Transport>& comm, const Algorithm& how, call_by_pairs& call) {
    const channel_type channel = comm.next_channel();
    return request(*new relayed_in_flight<Transport>(
        comm, channel,
        made_or_called_off(comm, channel, "alltoallv", [&] { return parts_of(how, call, comm.here()); }),
        {call.recv_counts.begin(), call.recv_counts.end()}, call.out.data));
}

template <class Transport, class Algorithm>
plan<Transport> plan_by_pairs(communicator<Transport>& comm, const Algorithm& how,
                              const call_by_pairs& call) {
    return naming_call("alltoallv", comm.rank(), [&] {
        return plan<Transport>(comm, [&] { return make_alltoallv(comm, how, call); });
    });
}

template <class Transport, class Algorithm>
void run_by_pairs(communicator<Transport>& comm, const Algorithm& how, call_by_pairs&& call) {
    if constexpr (!std::same_as<Algorithm, automatic>)
        if (relays(how, comm.here())) return relay_call(comm, how, call);
    run_anew(comm, "alltoallv", [&] { return make_alltoallv(comm, how, call); });
}

template <class Transport, class Algorithm>
request start_by_pairs(communicator<Transport>& comm, const Algorithm& how, call_by_pairs&& call) {
    if constexpr (!std::same_as<Algorithm, automatic>)
        if (relays(how, comm.here())) return start_relay(comm, how, call);
    return start_anew(comm, "alltoallv", [&] { return make_alltoallv(comm, how, call); });
}

} // namespace detail

/// An alltoallv to be run many times; arguments as `alltoallv`. The counts need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoallv(communicator<Transport>& comm, const In& in,
                               std::span<const std::int64_t> send_counts, Out&& out,
                               std::span<const std::int64_t> recv_counts, const Algorithm& how = {}) {
    return detail::plan_by_pairs(comm, how,
                                 {detail::input_of(in), send_counts, detail::output_of(out), recv_counts});
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoallv(communicator<Transport>& comm, InOut&& inout,
                               std::span<const std::int64_t> counts, const Algorithm& how = {}) {
    return detail::plan_by_pairs(comm, how, {{}, {}, detail::output_of(inout), counts});
}

/// Block j of rank i becomes block i of rank j, where blocks may have any lengths.
///
/// Of `in` this rank sends send_counts[j] elements to rank j, zero allowed, in the order of ranks; of `out`
/// recv_counts[i] come from rank i, which has to send as many: else this rank fails with collective_error,
/// and so do all that still wait in the call. `in` and `out` have as many elements as their counts together
/// and share no memory; `in` is not written. Throws argument_error before the first message. `how` is an
/// alltoall algorithm; a chooser is not asked, for ranks do not know of each other's lengths.
///
/// Cost: p - 1 messages, also for lengths of zero, by pairwise and others that take every block straight to
/// its receiver. One that passes blocks on, as bruck for short ones, runs each of its rounds twice, for
/// lengths and for elements; a plan refuses it. Nobody waits for the rank any more that then finds another
/// length than recv_counts has. An own one has to receive every message in the round in which it is sent.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoallv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> send_counts,
               Out&& out, std::span<const std::int64_t> recv_counts, const Algorithm& how = {}) {
    detail::run_by_pairs(comm, how, {detail::input_of(in), send_counts, detail::output_of(out), recv_counts});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
request ialltoallv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> send_counts,
                   Out&& out, std::span<const std::int64_t> recv_counts, const Algorithm& how = {}) {
    return detail::start_by_pairs(comm, how,
                                  {detail::input_of(in), send_counts, detail::output_of(out), recv_counts});
}

/// In place: counts[j] elements of `inout` go to rank j, and as many from it take their place. Works on a
/// copy of `inout`.
template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoallv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
               const Algorithm& how = {}) {
    detail::run_by_pairs(comm, how, {{}, {}, detail::output_of(inout), counts});
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
request ialltoallv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                   const Algorithm& how = {}) {
    return detail::start_by_pairs(comm, how, {{}, {}, detail::output_of(inout), counts});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::parts_slip<collective::alltoall, Comm, Args...>>
Why alltoallv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::alltoall, Comm, Args...>>
Why ialltoallv(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_parts_slip<collective::alltoall, Comm, Args...>>
Why plan_alltoallv(Comm&, Args&&...) = delete;

} // namespace tutti
