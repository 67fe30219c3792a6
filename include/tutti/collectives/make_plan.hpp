// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tutti/choose/chooser.hpp>
#include <tutti/collectives/call.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/launch.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/execute/run_task.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Stands for "you choose": the default of every call. The communicator's chooser does (see
/// communicator::choose_by).
struct automatic {};

/// A rule that takes one algorithm or another by what is requested, a pure function of it:
/// `how.schedule(of<C>, request_facts)`, so that all ranks take the same. See same_bits_for_any_size.
template <class Rule, collective C>
concept rule_for = requires(const Rule& how, const request_facts& facts) {
    { how.schedule(of<C>, facts) } -> std::same_as<any_generator>;
};

/// A type that names an algorithm for collective C: there is a `generate(of<C>, algorithm, place)` for it, in
/// tutti or in the algorithm's own namespace.
template <class Algorithm, collective C>
concept algorithm_for =
    std::same_as<Algorithm, automatic> || rule_for<Algorithm, C> || requires(const Algorithm& how, place at) {
        { generate(of<C>, how, at) } -> generator;
    };

/// The schedule for a request: chosen, or the one that was named.
template <collective C, class Transport, class Algorithm>
any_generator make_schedule(communicator<Transport>& comm, const Algorithm& how, const request_facts& facts) {
    if constexpr (std::same_as<Algorithm, automatic>)
        return comm.template chosen_schedule<C>(facts);
    else if constexpr (rule_for<Algorithm, C>)
        return how.schedule(of<C>, facts);
    else
        return generate(of<C>, how, facts.at);
}

namespace detail {
/// The plan of a call of collective C.
template <collective C, class Transport, class Algorithm>
plan<Transport> make_plan(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
    const auto make = [&](const request_facts& facts) { return make_schedule<C>(comm, how, facts); };
    return naming_call(name_of(C), comm.rank(), [&] {
        return plan<Transport>(comm, [&] {
            check_call(of<C>, call, comm.here());
            return make_task(C, comm.here(), std::move(call), schedule_source(make, name_of_algorithm(how)));
        });
    });
}

template <class Algorithm>
inline constexpr char place_of_algorithm = 0;
/// An address for every algorithm that has no options; null for others.
template <class Algorithm>
constexpr const void* address_of() noexcept {
    return std::is_empty_v<Algorithm> ? &place_of_algorithm<Algorithm> : nullptr;
}

/// Runs a call of collective C. It takes its channel before anything can be wrong with it: a rank that is
/// refused has made a call all the same, and its next one meets the next ones of the others.
template <collective C, class Transport, class Algorithm>
void run_call(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
    const channel_type channel = comm.next_channel();
    const chooser* learning = nullptr; // from this very call
    const auto make = [&](const request_facts& facts) -> any_generator {
        if constexpr (std::same_as<Algorithm, automatic>)
            if (comm.chosen_by() != nullptr)
                if (const choice* const trial = comm.chosen_by()->try_out(C, facts)) {
                    learning = comm.chosen_by();
                    return trial->schedule(facts.at);
                }
        return make_schedule<C>(comm, how, facts);
    };
    recent_task& recent = comm.recent(C);
    task& what = made_or_called_off(comm, channel, C, [&]() -> task& {
        check_call(of<C>, call, comm.here());
        return task_for(recent, C, comm.here(), address_of<Algorithm>(), std::move(call),
                        schedule_source(make, name_of_algorithm(how)));
    });
    run_task(comm, what, channel);
    if (learning != nullptr) {
        learning->tried();
        recent.kind = {}; // the next one may try another
    }
}

/// The task of a call of collective C that is begun on a channel, to be copied.
template <collective C, class Transport, class Algorithm>
task& task_to_begin(communicator<Transport>& comm, channel_type channel, const Algorithm& how,
                    collective_call&& call) {
    const auto make = [&](const request_facts& facts) { return make_schedule<C>(comm, how, facts); };
    recent_task& recent = comm.recent(C);
    task& what = made_or_called_off(comm, channel, C, [&]() -> task& {
        check_call(of<C>, call, comm.here());
        return task_for(recent, C, comm.here(), address_of<Algorithm>(), std::move(call),
                        schedule_source(make, name_of_algorithm(how)));
    });
    if (comm.chosen_by() != nullptr && !comm.chosen_by()->chooses_by_kind()) recent.kind = {};
    return what;
}

/// Begins a call of collective C.
template <collective C, class Transport, class Algorithm>
request start_call(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
    const channel_type channel = comm.next_channel();
    return launch_copy(comm, task_to_begin<C>(comm, channel, how, std::move(call)), channel);
}
/// ... that the rank leaves before it is over; see launch_detached.
template <collective C, class Transport, class Algorithm>
request start_detached(communicator<Transport>& comm, channel_type channel, const Algorithm& how,
                       collective_call&& call, bool any_order) {
    return launch_detached(comm, task_to_begin<C>(comm, channel, how, std::move(call)), channel, any_order);
}

/// Runs a call, named `what` to the others, whose task `make` makes, anew every time.
template <class Transport, class Make>
void run_anew(communicator<Transport>& comm, channel_type channel, std::string_view what, const Make& make) {
    task once = made_or_called_off(comm, channel, what, make);
    run_task(comm, once, channel);
}
template <class Transport, class Make>
void run_anew(communicator<Transport>& comm, std::string_view what, const Make& make) {
    run_anew(comm, comm.next_channel(), what, make);
}
/// Begins one.
template <class Transport, class Make>
request start_anew(communicator<Transport>& comm, std::string_view what, const Make& make) {
    const channel_type channel = comm.next_channel();
    task once = made_or_called_off(comm, channel, what, make);
    return launch_copy(comm, once, channel);
}
} // namespace detail

/// What a call of collective C takes that names no algorithm, and why: the rule of a table, which has no
/// times, or the times by which a chooser chose. Include the header of the call, too.
///
///     std::puts(tutti::explain<tutti::collective::allreduce>(comm, 4096).c_str());
template <collective C, class Transport>
std::string explain(communicator<Transport>& comm, std::int64_t bytes, bool commutative = true,
                    rank_type root = 0) {
    const request_facts facts{
        .at = {comm.rank(), comm.size(), root}, .bytes = bytes, .commutative = commutative};
    if (comm.chosen_by() != nullptr) return comm.chosen_by()->explain(C, facts);
    return detail::explained(default_choice<C>(facts, comm.has_cores()), C);
}

} // namespace tutti
