// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <tutti/collectives/call.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/core/compiled.hpp>

namespace tutti::detail {

/// A call in which every pair of ranks has a length of its own: nobody knows more than its own row and
/// column.
struct call_by_pairs {
    // As given.
    input_bytes in{}; ///< without type: in place
    std::span<const std::int64_t> send_counts;
    output_bytes out{};
    std::span<const std::int64_t> recv_counts;

    // Found by check_pairs.
    per_rank_counts sent{};
    per_rank_counts received{};

    bool in_place() const noexcept { return in.type == nullptr; }
};

/// Throws argument_error if an argument is wrong.
void check_pairs(call_by_pairs& call, const place& here);

/// Whether what this rank sends to another one lies in its input under the other one's number, and what comes
/// goes to its place in the result at once.
bool goes_straight(const any_generator& schedule, rank_type me, rank_type size);

/// What the ranks of such a call agree in: none knows what the others send in all, so nothing but schedule
/// and type.
call_label label_by_pairs(const task& t, const output_bytes& out);

/// The task of such a call. Throws argument_error if an argument is wrong, or unless the schedule takes every
/// block from its place in the input straight to its place in the result: elsewhere there is none of its
/// length.
task make_task_by_pairs(const place& at, call_by_pairs call, any_generator schedule,
                        std::string_view algorithm);

#if TUTTI_BODIES
TUTTI_BODY void check_pairs(call_by_pairs& call, const place& here) {
    if (call.in_place()) {
        call.sent = call.received = per_rank_counts(call.recv_counts, here.size);
        return check_whole("inout", call.out.count, call.received);
    }
    call.sent = {call.send_counts, here.size, "send_counts"};
    call.received = {call.recv_counts, here.size, "recv_counts"};
    check_count("in", call.in.count, static_cast<std::size_t>(call.sent.total()), "the sum of send_counts");
    check_count("out", call.out.count, static_cast<std::size_t>(call.received.total()),
                "the sum of recv_counts");
    check_apart(call.in, call.out);
    if (call.sent.of(here.rank) != call.received.of(here.rank))
        throw argument_error(sentence({"send_counts[", here.rank, "]"}), sentence({call.sent.of(here.rank)}),
                             sentence({call.received.of(here.rank), ", recv_counts[", here.rank,
                                       "]: what a rank gets from itself"}));
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

TUTTI_BODY call_label label_by_pairs(const task& t, const output_bytes& out) {
    collective_call of_any_length({}, out);
    of_any_length.bytes = call_label::lengths_by_pair;
    return label_of(t, of_any_length, t.schedule.claims());
}

TUTTI_BODY task make_task_by_pairs(const place& at, call_by_pairs call, any_generator schedule,
                                   std::string_view algorithm) {
    check_pairs(call, at);
    task t{.what = collective::alltoall, .schedule = std::move(schedule)};
    const auto unit = static_cast<std::int64_t>(call.out.element.bytes);
    t.layout = call.received.layout(t.schedule.blocks(), unit);
    t.input_layout = call.sent.layout(t.schedule.blocks(), unit);
    t.by_pairs = true;
    if (!goes_straight(t.schedule, at.rank, at.size))
        refuse_algorithm(algorithm, "moves blocks through other ranks or places",
                         "one that takes blocks of any lengths straight to their places, as pairwise");
    const bool in_place = call.in_place();
    t.keep_input = in_place; // the result overwrites it
    t.label = label_by_pairs(t, call.out);
    t.caller = {call.in, call.out, in_place};
    t.bound = {.input = in_place ? call.out.data : call.in.data, .work = call.out.data};
    return t;
}
#endif

} // namespace tutti::detail
