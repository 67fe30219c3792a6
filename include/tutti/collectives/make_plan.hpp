// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/choose/chooser.hpp>
#include <tutti/collectives/call.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/flight.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Stands for "you choose": the default of every call. The communicator's chooser does (see
/// communicator::choose_by).
struct automatic {};

/// A type that names an algorithm for collective C: there is a `generate(of<C>, algorithm, place)` for it, in
/// tutti or in the algorithm's own namespace.
template <class Algorithm, collective C>
concept algorithm_for = std::same_as<Algorithm, automatic> || requires(const Algorithm& how, place at) {
    { generate(of<C>, how, at) } -> generator;
};

/// The schedule for a request: chosen, or the one that was named.
template <collective C, class Transport, class Algorithm>
any_generator make_schedule(communicator<Transport>& comm, const Algorithm& how, const request_facts& facts) {
    if constexpr (std::same_as<Algorithm, automatic>)
        return comm.template chosen_schedule<C>(facts);
    else
        return generate(of<C>, how, facts.at);
}

namespace detail {
/// The plan of a call of collective C.
template <collective C, class Transport, class Algorithm>
plan<Transport> make_plan(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
    const auto make = [&](const request_facts& facts) { return make_schedule<C>(comm, how, facts); };
    const schedule_source source(make, std::same_as<Algorithm, automatic>);
    return plan<Transport>(comm, [&] { return make_task(C, comm.here(), std::move(call), source); });
}

template <class Algorithm>
inline constexpr char place_of_algorithm = 0;
/// An address for every algorithm that has no options; null for others.
template <class Algorithm>
constexpr const void* address_of() noexcept {
    return std::is_empty_v<Algorithm> ? &place_of_algorithm<Algorithm> : nullptr;
}

/// Runs a call of collective C.
template <collective C, class Transport, class Algorithm>
void run_call(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
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
    const schedule_source source(make, std::same_as<Algorithm, automatic>);
    recent_task& recent = comm.recent(C);
    flight<Transport>(comm,
                      task_for(recent, C, comm.here(), address_of<Algorithm>(), std::move(call), source))
        .wait();
    if (learning != nullptr) {
        learning->tried();
        recent.kind = {}; // the next one may try another
    }
}

/// The task of a call of collective C that is begun, to be copied.
template <collective C, class Transport, class Algorithm>
task& task_to_begin(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
    const auto make = [&](const request_facts& facts) { return make_schedule<C>(comm, how, facts); };
    const schedule_source source(make, std::same_as<Algorithm, automatic>);
    recent_task& recent = comm.recent(C);
    task& what = task_for(recent, C, comm.here(), address_of<Algorithm>(), std::move(call), source);
    if (comm.chosen_by() != nullptr && !comm.chosen_by()->chooses_by_kind()) recent.kind = {};
    return what;
}

/// Begins a call of collective C.
template <collective C, class Transport, class Algorithm>
request start_call(communicator<Transport>& comm, const Algorithm& how, collective_call&& call) {
    return launch_copy(comm, task_to_begin<C>(comm, how, std::move(call)));
}
/// ... that the rank leaves before it is over; see launch_detached.
template <collective C, class Transport, class Algorithm>
request start_detached(communicator<Transport>& comm, const Algorithm& how, collective_call&& call,
                       bool any_order) {
    return launch_detached(comm, task_to_begin<C>(comm, how, std::move(call)), any_order);
}
} // namespace detail

/// What a call of collective C takes that names no algorithm, and why. Include the header of the call, too.
///
///     std::puts(tutti::explain<tutti::collective::allreduce>(comm, 4096).c_str());
template <collective C, class Transport>
std::string explain(communicator<Transport>& comm, std::int64_t bytes, bool commutative = true,
                    rank_type root = 0) {
    const request_facts facts{
        .at = {comm.rank(), comm.size(), root}, .bytes = bytes, .commutative = commutative};
    if (comm.chosen_by() != nullptr) return comm.chosen_by()->explain(C, facts);
    return detail::explained(default_choice<C>(facts, comm.has_cores()));
}

} // namespace tutti
