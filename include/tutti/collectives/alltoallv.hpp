// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti {

namespace detail {

/// A call in which every pair of ranks has a length of its own: nobody knows more than its own row and
/// column.
struct call_by_pairs {
    input_bytes in{}; ///< without data: in place
    output_bytes out{};
    per_rank_counts sent{};
    per_rank_counts received{};
};

call_by_pairs call_of_pairs(const input_bytes& in, std::span<const std::int64_t> sent,
                            const output_bytes& out, std::span<const std::int64_t> received,
                            const place& here);
call_by_pairs call_of_pairs(const output_bytes& inout, std::span<const std::int64_t> counts, rank_type size);

/// Whether what this rank sends to another one lies in its input under the other one's number, and what comes
/// goes to its place in the result at once.
bool goes_straight(const any_generator& schedule, rank_type me, rank_type size);

/// The task of such a call. Throws argument_error unless the schedule takes every block from its place in the
/// input straight to its place in the result: elsewhere there is none of its length.
task make_task_by_pairs(const place& at, const call_by_pairs& call, any_generator schedule,
                        std::string_view algorithm);

#if TUTTI_BODIES
TUTTI_BODY call_by_pairs call_of_pairs(const input_bytes& in, std::span<const std::int64_t> sent,
                                       const output_bytes& out, std::span<const std::int64_t> received,
                                       const place& here) {
    const call_by_pairs call{in, out, {sent, here.size, "send_counts"}, {received, here.size, "recv_counts"}};
    check_count("in", in.count, static_cast<std::size_t>(call.sent.total()), "the sum of send_counts");
    check_count("out", out.count, static_cast<std::size_t>(call.received.total()), "the sum of recv_counts");
    check_apart(in, out);
    if (call.sent.of(here.rank) != call.received.of(here.rank))
        throw argument_error(sentence({"send_counts[", here.rank, "]"}), sentence({call.sent.of(here.rank)}),
                             sentence({call.received.of(here.rank), ", recv_counts[", here.rank,
                                       "]: what a rank gets from itself"}));
    return call;
}

TUTTI_BODY call_by_pairs call_of_pairs(const output_bytes& inout, std::span<const std::int64_t> counts,
                                       rank_type size) {
    const per_rank_counts both(counts, size);
    check_whole("inout", inout.count, both);
    return {{}, inout, both, both};
}

TUTTI_BODY bool goes_straight(const any_generator& schedule, rank_type me, rank_type size) {
    const block_index each = schedule.blocks() / size;
    bool straight = true;
    step_list steps;
    for (round_index i = 0; i < schedule.rounds() && straight; ++i) {
        steps.clear();
        schedule.append(i, steps);
        for (const step& s : steps) {
            if (s.blocks.count == 0) continue; // only to come into step
            const rank_type other = s.is_local() ? me : s.peer;
            const buffer_name from = s.is_local() ? s.source : s.buffer;
            const bool reads = s.is_local() || s.kind == step_kind::send;
            const bool writes = s.kind != step_kind::send;
            const bool own_blocks =
                s.blocks.first >= other * each && s.blocks.first + s.blocks.count <= (other + 1) * each;
            straight = straight && own_blocks && (!reads || from == buffer_name::input)
                       && (!writes || s.buffer == buffer_name::work);
        }
    }
    return straight;
}

TUTTI_BODY task make_task_by_pairs(const place& at, const call_by_pairs& call, any_generator schedule,
                                   std::string_view algorithm) {
    task t{.what = collective::alltoall, .schedule = std::move(schedule)};
    const auto unit = static_cast<std::int64_t>(call.out.element.bytes);
    t.layout = call.received.layout(t.schedule.blocks(), unit);
    t.input_layout = call.sent.layout(t.schedule.blocks(), unit);
    t.by_pairs = true;
    if (!goes_straight(t.schedule, at.rank, at.size))
        refuse_algorithm(algorithm, "moves blocks through other ranks or places",
                         "one that takes blocks of any lengths straight to their places, as pairwise");
    const bool in_place = call.in.type == nullptr;
    t.keep_input = in_place; // the result overwrites it
    // No rank knows what the others send in all: the label has nothing but the schedule.
    const collective_call alike({}, call.out, call_label::lengths_by_pair);
    t.label = label_of(t, alike, t.schedule.claims());
    t.caller = {call.in, call.out, in_place};
    t.bound = {.input = in_place ? call.out.data : call.in.data, .work = call.out.data};
    return t;
}
#endif

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

} // namespace detail

/// An alltoallv to be run many times; arguments as `alltoallv`. The counts need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoallv(communicator<Transport>& comm, const In& in,
                               std::span<const std::int64_t> send_counts, Out&& out,
                               std::span<const std::int64_t> recv_counts, const Algorithm& how = {}) {
    return plan<Transport>(comm, [&] {
        return detail::make_alltoallv(comm, how,
                                      detail::call_of_pairs(detail::input_of(in), send_counts,
                                                            detail::output_of(out), recv_counts,
                                                            comm.here()));
    });
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
plan<Transport> plan_alltoallv(communicator<Transport>& comm, InOut&& inout,
                               std::span<const std::int64_t> counts, const Algorithm& how = {}) {
    return plan<Transport>(comm, [&] {
        return detail::make_alltoallv(comm, how,
                                      detail::call_of_pairs(detail::output_of(inout), counts, comm.size()));
    });
}

/// Block j of rank i becomes block i of rank j, where blocks may have any lengths.
///
/// Of `in` this rank sends send_counts[j] elements to rank j, zero allowed, in the order of ranks; of `out`
/// recv_counts[i] come from rank i, which has to send as many: else this rank fails with collective_error,
/// and so do those that wait for it. `in` and `out` have as many elements as their counts together and share
/// no memory; `in` is not written. Throws argument_error before the first message. `how` is an alltoall
/// algorithm that takes every block straight to its receiver, as pairwise does; a chooser is not asked, for
/// ranks do not know of each other's lengths. Cost: p - 1 messages, also for lengths of zero.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoallv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> send_counts,
               Out&& out, std::span<const std::int64_t> recv_counts, const Algorithm& how = {}) {
    detail::run_anew(comm, "alltoallv", [&] {
        return detail::make_alltoallv(comm, how,
                                      detail::call_of_pairs(detail::input_of(in), send_counts,
                                                            detail::output_of(out), recv_counts,
                                                            comm.here()));
    });
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
request ialltoallv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> send_counts,
                   Out&& out, std::span<const std::int64_t> recv_counts, const Algorithm& how = {}) {
    return detail::start_anew(comm, "alltoallv", [&] {
        return detail::make_alltoallv(comm, how,
                                      detail::call_of_pairs(detail::input_of(in), send_counts,
                                                            detail::output_of(out), recv_counts,
                                                            comm.here()));
    });
}

/// In place: counts[j] elements of `inout` go to rank j, and as many from it take their place. Works on a
/// copy of `inout`.
template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoallv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
               const Algorithm& how = {}) {
    detail::run_anew(comm, "alltoallv", [&] {
        return detail::make_alltoallv(comm, how,
                                      detail::call_of_pairs(detail::output_of(inout), counts, comm.size()));
    });
}

template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
request ialltoallv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                   const Algorithm& how = {}) {
    return detail::start_anew(comm, "alltoallv", [&] {
        return detail::make_alltoallv(comm, how,
                                      detail::call_of_pairs(detail::output_of(inout), counts, comm.size()));
    });
}

/// What no call takes: see refused.hpp.
template <detail::plain_communicator Comm, detail::not_of_bytes In, class... More>
refused::elements_must_be_trivially_copyable_no_bits alltoallv(Comm&, const In&, const More&...) = delete;
template <class Transport, readable In, detail::other_counts Counts, class... More>
refused::counts_must_be_of_std_int64_t alltoallv(communicator<Transport>&, const In&, const Counts&,
                                                 const More&...) = delete;
template <class Transport, readable In, detail::unlike<In> Out, class... More>
refused::out_is_const_or_has_other_elements_than_in alltoallv(communicator<Transport>&, const In&,
                                                              std::span<const std::int64_t> send_counts,
                                                              Out&& out, const More&...) = delete;
template <class Transport, readable In, class... More>
    requires detail::has_no_algorithm_for<collective::alltoall, In, More...>
refused::this_algorithm_has_no<collective::alltoall> alltoallv(communicator<Transport>&, const In&,
                                                               const More&...) = delete;

} // namespace tutti
