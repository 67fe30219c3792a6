// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>

#include <tutti/collectives/allgatherv.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/multicast.hpp>

namespace tutti {

/// A multicast schedule for a request: few messages go all at once. Many short ones, whose number decides,
/// are put together on the circulant graph. Many long ones go straight to their receivers, one at a time.
any_generator choose_multicast(const relation& who, const request_facts& facts);

#if TUTTI_BODIES
TUTTI_BODY any_generator choose_multicast(const relation& who, const request_facts& facts) {
    constexpr std::int64_t short_message = 2048; // bytes, on average
    constexpr rank_type most_ranks = 512;        // beyond, pruning costs more than the messages it saves
    const rank_type busiest = std::max(who.most_targets(), who.most_sources());
    if (busiest <= 2 * ceil_log2(facts.at.size))
        return generate(of<collective::multicast>, serial{}, who, facts.at);
    if (facts.bytes / facts.at.size <= short_message && facts.at.size <= most_ranks)
        return generate(of<collective::multicast>, circulant{}, who, facts.at);
    return generate(of<collective::multicast>, direct{}, who, facts.at);
}
#endif

namespace detail {
template <class Algorithm>
concept chosen_or_multicast_algorithm = std::same_as<Algorithm, automatic> || multicast_algorithm<Algorithm>;

/// Tells relations apart, mostly.
std::uint32_t hash_of(const relation& who) noexcept;

#if TUTTI_BODIES
TUTTI_BODY std::uint32_t hash_of(const relation& who) noexcept {
    std::uint32_t h = 2166136261U;
    for (rank_type r = 0; r < who.size(); ++r) {
        for (const rank_type target : who.targets(r))
            h = (h ^ static_cast<std::uint32_t>(target)) * 16777619U;
        h = (h ^ static_cast<std::uint32_t>(who.size())) * 16777619U; // the end of a list
    }
    return h;
}
#endif

/// As an allgatherv.
inline void check_call(collective_constant<collective::multicast>, collective_call& call, const place& here) {
    check_call(of<collective::allgather>, call, here);
}

/// The task of a multicast.
template <class Transport, class Algorithm>
task make_multicast(communicator<Transport>& comm, const Algorithm& how, const relation& who,
                    collective_call&& call) {
    if (who.size() != comm.size())
        throw argument_error("who", sentence({"a relation of ", who.size(), " ranks"}),
                             sentence({"one of ", comm.size(), " ranks, as many as there are"}));
    const auto make = [&](const request_facts& facts) -> any_generator {
        if constexpr (std::same_as<Algorithm, automatic>)
            return choose_multicast(who, facts);
        else
            return generate(of<collective::multicast>, how, who, facts.at);
    };
    call.pattern = hash_of(who);
    check_call(of<collective::multicast>, call, comm.here());
    return make_task(collective::multicast, comm.here(), std::move(call),
                     schedule_source(make, name_of_algorithm(how)));
}

template <class Transport, class Algorithm>
plan<Transport> plan_of_multicast(communicator<Transport>& comm, const Algorithm& how, const relation& who,
                                  collective_call&& call) {
    return naming_call(name_of(collective::multicast), comm.rank(), [&] {
        return plan<Transport>(comm, [&] { return make_multicast(comm, how, who, std::move(call)); });
    });
}

template <class Transport, class Algorithm>
void run_multicast(communicator<Transport>& comm, const Algorithm& how, const relation& who,
                   collective_call&& call) {
    run_anew(comm, name_of(collective::multicast),
             [&] { return make_multicast(comm, how, who, std::move(call)); });
}

template <class Transport, class Algorithm>
request start_multicast(communicator<Transport>& comm, const Algorithm& how, const relation& who,
                        collective_call&& call) {
    return start_anew(comm, name_of(collective::multicast),
                      [&] { return make_multicast(comm, how, who, std::move(call)); });
}
} // namespace detail

/// A multicast to be run many times; arguments as `multicast`. `counts` and `who` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          detail::chosen_or_multicast_algorithm Algorithm = automatic>
plan<Transport> plan_multicast(communicator<Transport>& comm, const In& in,
                               std::span<const std::int64_t> counts, Out&& out, const relation& who,
                               const Algorithm& how = {}) {
    return detail::plan_of_multicast(comm, how, who,
                                     {detail::input_of(in), detail::output_of(out), 0, counts});
}

template <class Transport, writable InOut, detail::chosen_or_multicast_algorithm Algorithm = automatic>
plan<Transport> plan_multicast(communicator<Transport>& comm, InOut&& inout,
                               std::span<const std::int64_t> counts, const relation& who,
                               const Algorithm& how = {}) {
    return detail::plan_of_multicast(comm, how, who, {{}, detail::output_of(inout), 0, counts});
}

/// Gives every rank the messages that are addressed to it, each where allgatherv would put it.
///
/// `in` has counts[rank()] elements, zero allowed; `out` has room for the messages of all ranks in the order
/// of ranks and shares no memory with `in`. Afterwards it holds this rank's message and those of
/// who.sources(rank()); the rest of it is unspecified: messages for others may have passed through it.
/// `counts` and `who` are the same on every rank. Throws argument_error before the first message,
/// collective_error on the way. `how` is any allgather algorithm, which then carries only what is needed, or
/// serial. Cost: serial and direct strategies take one message per pair; the others fewer and longer ones,
/// and planning them means to look at all ranks' steps: make a plan if the relation is used again.
template <class Transport, readable In, writable_like<In> Out,
          detail::chosen_or_multicast_algorithm Algorithm = automatic>
void multicast(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
               const relation& who, const Algorithm& how = {}) {
    detail::run_multicast(comm, how, who, {detail::input_of(in), detail::output_of(out), 0, counts});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          detail::chosen_or_multicast_algorithm Algorithm = automatic>
request imulticast(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts,
                   Out&& out, const relation& who, const Algorithm& how = {}) {
    return detail::start_multicast(comm, how, who, {detail::input_of(in), detail::output_of(out), 0, counts});
}

/// In place: `inout` has room for the messages of all ranks, and this rank has filled its own.
template <class Transport, writable InOut, detail::chosen_or_multicast_algorithm Algorithm = automatic>
void multicast(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
               const relation& who, const Algorithm& how = {}) {
    detail::run_multicast(comm, how, who, {{}, detail::output_of(inout), 0, counts});
}

template <class Transport, writable InOut, detail::chosen_or_multicast_algorithm Algorithm = automatic>
request imulticast(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                   const relation& who, const Algorithm& how = {}) {
    return detail::start_multicast(comm, how, who, {{}, detail::output_of(inout), 0, counts});
}

} // namespace tutti
