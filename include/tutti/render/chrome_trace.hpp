// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

#include <tutti/core/compiled.hpp>
#include <tutti/simulate/result.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/simulate/machine_ticks.hpp>
#endif

namespace tutti {

namespace detail {

/// Ticks as microseconds, exactly: "12.5".
std::string exact_us(ticks t);

} // namespace detail

/// What happened in a simulation as a Chrome trace, for ui.perfetto.dev or chrome://tracing: a process per
/// rank with the tracks CPU, send port and receive port; a slice for everything a rank did, with round and
/// bytes; an arrow for every message from its send to its receive; and the critical path, if it was kept, as
/// a process of its own. Times are in microseconds and exact.
///
/// `result` is that of a simulation with keep_timeline on `machine`, which says how long messages keep the
/// ports; throws argument_error if it has no timeline. `more` is JSON: members that stand behind the title in
/// "otherData", each begins with a comma.
std::string chrome_trace(const simulation_result& result, const loggops& machine, std::string_view title = {},
                         std::string_view more = {});

#if TUTTI_BODIES
namespace detail {
/// The words for an activity, as names and categories of slices.
inline constexpr std::string_view name_of(activity::kind what) noexcept {
    switch (what) {
    case activity::kind::skew: return "skew";
    case activity::kind::start: return "start";
    case activity::kind::send: return "send";
    case activity::kind::recv: return "recv";
    case activity::kind::signal: return "signal";
    case activity::kind::fold: return "fold";
    case activity::kind::copy: return "copy";
    case activity::kind::noise: return "noise";
    case activity::kind::flight: return "flight";
    case activity::kind::gap: return "gap";
    }
    return "?";
}

/// Text between the quotes of a JSON string; control characters are left out.
inline std::string json_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
    return result;
}

TUTTI_BODY std::string exact_us(ticks t) {
    const ticks size = t < 0 ? -t : t;
    std::string text(t < 0 ? "-" : "");
    text += std::to_string(size / ticks_per_us);
    if (const ticks rest = size % ticks_per_us; rest != 0) {
        text += '.';
        for (ticks place = ticks_per_us / 10, left = rest; left != 0; left %= place, place /= 10)
            text += static_cast<char>('0' + left / place);
    }
    return text;
}

class chrome_trace_writer {
public:
    chrome_trace_writer(const simulation_result& result, const loggops& machine, std::string_view title,
                        std::string_view more)
        : machine_(machine) {
        text_.append("{\"otherData\": {\"title\": \"").append(json_escaped(title)).append("\"");
        text_.append(more).append("},\n");
        text_ += "\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [";
        for (std::size_t r = 0; r < result.finish.size(); ++r) names(static_cast<rank_type>(r));
        for (const activity& a : result.timeline)
            if (a.what != activity::kind::flight) happened(a);
        critical_path(result);
        text_ += "\n]}\n";
    }
    std::string finish() && { return std::move(text_); }

private:
    enum track : int { cpu, send_port, receive_port };

    /// Begins an event; what follows are its other members, each beginning with a comma.
    void event(std::string_view phase, std::string_view name, rank_type rank, track where) {
        text_.append(first_ ? "\n" : ",\n");
        first_ = false;
        text_.append("{\"ph\": \"").append(phase).append("\", \"name\": \"").append(name);
        text_.append("\", \"pid\": ").append(std::to_string(rank));
        text_.append(", \"tid\": ").append(std::to_string(static_cast<int>(where)));
    }

    void names(rank_type r) {
        event("M", "process_name", r, cpu);
        text_.append(", \"args\": {\"name\": \"rank ").append(std::to_string(r)).append("\"}}");
        event("M", "process_sort_index", r, cpu);
        text_.append(", \"args\": {\"sort_index\": ").append(std::to_string(r)).append("}}");
        for (const auto& [where, name] : {std::pair(cpu, "CPU"), std::pair(send_port, "send port"),
                                          std::pair(receive_port, "receive port")}) {
            event("M", "thread_name", r, where);
            text_.append(", \"args\": {\"name\": \"").append(name).append("\"}}");
        }
    }

    void happened(const activity& a) {
        const std::string name = words(a);
        slice(a, name, a.rank, cpu, a.end - a.begin);
        const bool sends = a.what == activity::kind::send;
        if (!sends && a.what != activity::kind::recv) return;
        slice(a, name, a.rank, sends ? send_port : receive_port, machine_.nic(a.bytes));
        event(sends ? "s" : "f", "message", a.rank, cpu);
        text_.append(", \"cat\": \"message\", \"id\": ").append(std::to_string(a.message));
        text_.append(", \"ts\": ").append(exact_us(a.begin)).append(sends ? "}" : ", \"bp\": \"e\"}");
    }

    /// A process of its own behind those of the ranks.
    void critical_path(const simulation_result& result) {
        if (result.path.empty()) return;
        const auto process = static_cast<rank_type>(result.finish.size());
        event("M", "process_name", process, cpu);
        text_.append(", \"args\": {\"name\": \"critical path to rank ");
        text_.append(std::to_string(result.last())).append("\"}}");
        for (const activity& a : result.path) {
            std::string name("rank ");
            name.append(std::to_string(a.rank)).append(": ").append(words(a));
            slice(a, name, process, cpu, a.end - a.begin);
        }
    }

    /// "send to 3", "recv from 0", "fold".
    static std::string words(const activity& a) {
        std::string text(name_of(a.what));
        if (a.peer == no_rank) return text;
        const bool to = a.what == activity::kind::send || a.what == activity::kind::flight;
        return text.append(to ? " to " : " from ").append(std::to_string(a.peer));
    }

    void slice(const activity& a, std::string_view name, rank_type process, track where, ticks duration) {
        event("X", name, process, where);
        text_.append(", \"cat\": \"").append(name_of(a.what));
        text_.append("\", \"ts\": ")
            .append(exact_us(a.begin))
            .append(", \"dur\": ")
            .append(exact_us(duration));
        text_.append(", \"args\": {\"round\": ").append(std::to_string(a.round));
        text_.append(", \"bytes\": ").append(std::to_string(a.bytes)).append("}}");
    }

    machine_ticks machine_;
    std::string text_;
    bool first_ = true;
};
} // namespace detail

TUTTI_BODY std::string chrome_trace(const simulation_result& result, const loggops& machine,
                                    std::string_view title, std::string_view more) {
    if (result.timeline.empty() && result.messages > 0)
        throw argument_error("result.timeline", "empty", "that of a simulation with keep_timeline");
    return detail::chrome_trace_writer(result, machine, title, more).finish();
}
#endif

} // namespace tutti
