// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/simulate/host_state.hpp>
#include <tutti/simulate/links.hpp>
#include <tutti/simulate/result.hpp>

#if TUTTI_BODIES
#include <algorithm>
#endif

namespace tutti::detail {

/// Keeps nothing. The load of a message event is the bytes of the message.
struct no_log {
    static constexpr bool keeps = false;

    static std::int64_t bytes_of(std::int64_t load) noexcept { return load; }
};

/// Everything that happens, and what made it begin when it did. The load of a message event is the number of
/// the message.
///
/// An activity begins because its CPU or interface became free, or because a message came: each has a cause
/// that ends just when it begins, back to time 0. Following the causes from the end of the last rank gives
/// the critical path without a gap.
class activity_log {
public:
    static constexpr bool keeps = true;

    /// Of so many ranks, whose messages take o of a processor and L on the way at the least.
    activity_log(rank_type size, ticks o, ticks L) : o_(o), L_(L), marks_(static_cast<std::size_t>(size)) {}

    std::int64_t bytes_of(std::int64_t message) const noexcept { return flight_of(message).bytes; }

    /// `host`, not yet changed, sends at t, for `busy` of its CPU, after noise of `lost`; more noise follows.
    /// Returns the message's number.
    std::int64_t sent(const host_state& host, rank_type from, rank_type to, round_index round,
                      std::int64_t bytes, ticks t, ticks lost, ticks busy, ticks leaves, ticks arrives,
                      const link_wait& waits);
    /// A message is on its way until then (receiving_rule::overlapped).
    void taken_in(std::int64_t message, ticks due) {
        entries_[static_cast<std::size_t>(flights_[static_cast<std::size_t>(message)])].what.end = due;
    }
    /// `host`, not yet changed, takes a message at t. A signal comes first, noise last.
    void received(const host_state& host, rank_type to, std::int64_t message, ticks t, ticks signal,
                  ticks busy);
    void calculated(rank_type r, activity::kind what, round_index round, std::int64_t bytes, ticks t,
                    ticks busy) {
        of(r).cpu = add({.rank = r, .round = round, .bytes = bytes}, what, t, t + busy, of(r).cpu);
    }
    /// The CPU, done with the activity added last, is kept by something else.
    void disturbed(rank_type r, ticks noise) {
        if (noise == 0) return;
        const index before = of(r).cpu;
        const activity a = entries_[static_cast<std::size_t>(before)].what;
        of(r).cpu = add({.rank = r, .round = a.round}, activity::kind::noise, a.end, a.end + noise, before);
    }
    /// The receives of r begin now, when its CPU is free.
    void opened(rank_type r) { of(r).opened = of(r).cpu; }
    /// A rendezvous at t makes the sender go on: what brought the receiver to t did.
    void met(rank_type sender, rank_type receiver, bool by_message, const host_state& before, ticks t) {
        const index cause = by_message ? of(receiver).met : of(receiver).opened;
        if (before.cpu < t) of(sender).cpu = cause;
        if (before.nic_send < t) of(sender).nic_send = cause;
    }

    /// What led to the end of rank r, first things first.
    std::vector<activity> path_to(rank_type r) const;
    /// Everything by begin; what begins at the same time as it was found.
    std::vector<activity> timeline() const;

private:
    using index = std::int64_t;
    static constexpr index nothing = -1;

    struct entry {
        activity what;
        index cause;
    };
    /// Which entries set the clocks of a rank; `met`: what brought it to the message it took last.
    struct marks {
        index cpu = nothing;
        index nic_send = nothing;
        index nic_recv = nothing;
        index opened = nothing;
        index met = nothing;
    };

    marks& of(rank_type r) { return marks_[static_cast<std::size_t>(r)]; }
    const marks& of(rank_type r) const { return marks_[static_cast<std::size_t>(r)]; }
    const activity& flight_of(std::int64_t message) const noexcept {
        return entries_[static_cast<std::size_t>(flights_[static_cast<std::size_t>(message)])].what;
    }
    index add(activity a, activity::kind what, ticks begin, ticks end, index cause) {
        a.what = what;
        a.begin = begin;
        a.end = end;
        entries_.push_back({a, cause});
        return static_cast<index>(entries_.size()) - 1;
    }
    /// From the end of the message before until the interface takes the next one.
    index waited_for_interface(index before, rank_type r, ticks t) {
        if (before == nothing) return nothing;
        const activity a = entries_[static_cast<std::size_t>(before)].what;
        if (a.end == t) return before; // a rendezvous did it
        return add({.rank = r, .peer = a.peer, .round = a.round}, activity::kind::gap, a.end, t, before);
    }

    ticks o_;
    ticks L_;
    std::vector<entry> entries_;
    std::vector<index> flights_; // of each message
    std::vector<marks> marks_;
};

#if TUTTI_BODIES
TUTTI_BODY std::int64_t activity_log::sent(const host_state& host, rank_type from, rank_type to,
                                           round_index round, std::int64_t bytes, ticks t, ticks lost,
                                           ticks busy, ticks leaves, ticks arrives, const link_wait& waits) {
    marks& m = of(from);
    index cause = m.cpu;
    if (host.cpu != t && host.nic_send == t) cause = waited_for_interface(m.nic_send, from, t);
    const auto message = static_cast<std::int64_t>(flights_.size());
    activity base{
        .rank = from, .peer = to, .round = round, .bytes = bytes, .message = message, .overhead = o_};
    if (lost > 0) cause = add({.rank = from, .round = round}, activity::kind::noise, t, t + lost, cause);
    m.cpu = m.nic_send = add(base, activity::kind::send, t + lost, t + lost + busy, cause);
    base.overhead = L_;
    base.held = waits.in_all;
    base.link = waits.link;
    flights_.push_back(add(base, activity::kind::flight, leaves, arrives, m.cpu));
    return message;
}

TUTTI_BODY void activity_log::received(const host_state& host, rank_type to, std::int64_t message, ticks t,
                                       ticks signal, ticks busy) {
    marks& m = of(to);
    const activity flight = flight_of(message);
    index cause = flights_[static_cast<std::size_t>(message)];
    if (flight.end != t) cause = host.cpu == t ? m.cpu : waited_for_interface(m.nic_recv, to, t);
    m.met = cause;
    activity base{
        .rank = to, .peer = flight.rank, .round = flight.round, .bytes = flight.bytes, .message = message};
    if (signal > 0) cause = add(base, activity::kind::signal, t, t + signal, cause);
    base.overhead = o_;
    m.cpu = m.nic_recv = add(base, activity::kind::recv, t + signal, t + signal + busy, cause);
}

TUTTI_BODY std::vector<activity> activity_log::path_to(rank_type r) const {
    std::vector<activity> path;
    for (index i = of(r).cpu; i != nothing; i = entries_[static_cast<std::size_t>(i)].cause) {
        activity a = entries_[static_cast<std::size_t>(i)].what;
        // A message leaves before its sender has handled all its bytes.
        if (!path.empty()) a.end = std::min(a.end, path.back().begin);
        path.push_back(a);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

TUTTI_BODY std::vector<activity> activity_log::timeline() const {
    std::vector<activity> all;
    all.reserve(entries_.size());
    for (const entry& e : entries_)
        if (e.what.what != activity::kind::gap) all.push_back(e.what);
    std::stable_sort(all.begin(), all.end(),
                     [](const activity& a, const activity& b) { return a.begin < b.begin; });
    return all;
}
#endif

} // namespace tutti::detail
