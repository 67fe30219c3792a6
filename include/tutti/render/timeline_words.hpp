// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/render/svg.hpp>
#include <tutti/simulate/result.hpp>

/// What a picture of a simulation says of what one points at.
namespace tutti::detail {

/// "2.5 µs".
inline std::string in_us(ticks t) { return svg_number(static_cast<double>(t) / ticks_per_us) + " µs"; }

/// "2.5 µs to 3 µs".
inline std::string period_of(ticks begin, ticks end) { return in_us(begin) + " to " + in_us(end); }

/// Whether a processor spends a part of it, or all, on the message whatever its length.
inline bool has_overhead(const activity& a) noexcept {
    return (a.what == activity::kind::send || a.what == activity::kind::recv) && a.overhead > 0;
}

/// "rank 0: receive from 1, 8 bytes, round 3, 6 µs to 8 µs".
/// `links`: the names of those of a network.
inline std::string words_of(const activity& a, std::string_view name, const std::vector<std::string>& links) {
    std::string text = "rank " + std::to_string(a.rank) + ": ";
    text += name;
    if (a.peer != no_rank)
        text.append(a.what == activity::kind::recv ? " from " : " to ").append(std::to_string(a.peer));
    if (a.bytes > 0) text.append(", ").append(std::to_string(a.bytes)).append(" bytes");
    text.append(", round ").append(std::to_string(a.round)).append(", ").append(period_of(a.begin, a.end));
    if (has_overhead(a))
        text.append(", ")
            .append(a.overhead < a.end - a.begin ? in_us(a.overhead) : "all")
            .append(" of it overhead");
    if (a.held > 0)
        text.append(", ")
            .append(in_us(a.held))
            .append(" of it waiting for links, longest for ")
            .append(a.link < static_cast<link_index>(links.size()) ? links[static_cast<std::size_t>(a.link)]
                                                                   : "link " + std::to_string(a.link));
    return text;
}

/// A rank between two of its activities.
struct timeline_wait {
    rank_type rank;         ///< who waits
    ticks begin;            ///< from when on
    ticks end;              ///< until when
    const activity* before; ///< what it did last, or null
    const activity* next;   ///< what it waits to do
};

/// All of them, by the begin of what they end with.
inline std::vector<timeline_wait> waits_of(const simulation_result& result) {
    std::vector<timeline_wait> waits;
    std::vector<const activity*> last(result.finish.size()); // of every rank, by its end
    for (const activity& a : result.timeline) {
        if (a.what == activity::kind::flight || a.what == activity::kind::gap) continue;
        const activity*& before = last[static_cast<std::size_t>(a.rank)];
        const ticks free = before == nullptr ? 0 : before->end;
        if (a.begin > free) waits.push_back({a.rank, free, a.begin, before, &a});
        if (before == nullptr || a.end >= before->end) before = &a;
    }
    return waits;
}

/// The messages of a simulation: what a rank waits for.
class timeline_messages {
public:
    explicit timeline_messages(const simulation_result& result) {
        for (const activity& a : result.timeline) {
            if (a.what == activity::kind::flight) keep(flights_, a);
            if (a.what == activity::kind::recv) keep(receives_, a);
        }
    }

    /// On its way: the message that ends the wait by its arrival, or null.
    const activity* awaited(const timeline_wait& w) const {
        const bool takes = w.next->what == activity::kind::recv || w.next->what == activity::kind::signal;
        const activity* flight = takes ? find(flights_, w.next->message) : nullptr;
        return flight != nullptr && flight->end > w.begin ? flight : nullptr;
    }

    /// ", taken at 8 µs", of a message on its way that is not taken as soon as it is there.
    std::string words_of_delay(const activity& flight) const {
        const activity* taken = find(receives_, flight.message);
        return taken != nullptr && taken->begin > flight.end ? ", taken at " + in_us(taken->begin) : "";
    }

    /// "rank 0: waits from 5 µs to 6 µs for rank 1, whose message is on its way from 2 µs to 6 µs".
    std::string words(const timeline_wait& w) const {
        std::string text = "rank " + std::to_string(w.rank) + ": waits from ";
        text.append(period_of(w.begin, w.end)).append(" for ");
        if (const activity* flight = awaited(w))
            text.append("rank ")
                .append(std::to_string(flight->rank))
                .append(", whose message is on its way from ")
                .append(period_of(flight->begin, flight->end));
        else if (const activity* taken = taken_at_last(w))
            text.append("rank ").append(std::to_string(taken->rank)).append(" to take its message");
        else
            text += "its network interface";
        return text;
    }

private:
    using by_message = std::vector<const activity*>;

    static void keep(by_message& all, const activity& a) {
        if (a.message < 0) return;
        const auto at = static_cast<std::size_t>(a.message);
        all.resize(std::max(all.size(), at + 1));
        all[at] = &a;
    }
    static const activity* find(const by_message& all, std::int64_t message) {
        return message >= 0 && message < static_cast<std::int64_t>(all.size())
                   ? all[static_cast<std::size_t>(message)]
                   : nullptr;
    }
    /// Where the receiver lets a sender go on (see loggops::S).
    const activity* taken_at_last(const timeline_wait& w) const {
        if (w.before == nullptr || w.before->what != activity::kind::send) return nullptr;
        const activity* taken = find(receives_, w.before->message);
        return taken != nullptr && taken->begin == w.end ? taken : nullptr;
    }

    by_message flights_;
    by_message receives_;
};

} // namespace tutti::detail
