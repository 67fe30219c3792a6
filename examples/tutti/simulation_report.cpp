// SPDX-License-Identifier: BSL-1.0
#include "simulation_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include <tutti/simulate/histogram.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/ticks.hpp>

#include "json.hpp"

namespace program {

namespace {

using tutti::activity;

/// What a kind of activity is called where times of the path are added up.
struct kind_heading {
    activity::kind what;
    std::string_view heading;
    std::string_view name; ///< for programs
};
constexpr std::array kinds{
    kind_heading{activity::kind::skew, "late start", "skew"},
    kind_heading{activity::kind::start, "starting", "start"},
    kind_heading{activity::kind::send, "sending", "send"},
    kind_heading{activity::kind::flight, "network", "flight"},
    kind_heading{activity::kind::gap, "gaps", "gap"},
    kind_heading{activity::kind::recv, "receiving", "recv"},
    kind_heading{activity::kind::signal, "interrupts", "signal"},
    kind_heading{activity::kind::fold, "folding", "fold"},
    kind_heading{activity::kind::copy, "copying", "copy"},
    kind_heading{activity::kind::noise, "noise", "noise"},
};

std::string in_us(tutti::ticks t) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", static_cast<double>(t) / tutti::ticks_per_us);
    return text;
}

std::string words_for(const activity& a) {
    const std::string bytes = std::to_string(a.bytes) + (a.bytes == 1 ? " byte" : " bytes");
    const std::string peer = std::to_string(a.peer);
    switch (a.what) {
    case activity::kind::skew: return "begins late";
    case activity::kind::start: return "hands over to the network interface";
    case activity::kind::signal: return "is interrupted";
    case activity::kind::gap: return "waits for its network interface";
    case activity::kind::send: return "sends " + bytes + " to " + peer;
    case activity::kind::recv: return "receives " + bytes + " from " + peer;
    case activity::kind::fold: return "folds " + bytes;
    case activity::kind::copy: return "copies " + bytes;
    case activity::kind::noise: return "loses its CPU to noise";
    case activity::kind::flight: return bytes + " on the way to " + peer;
    }
    return "?";
}

bool is_of_round(const activity& a) {
    return a.what != activity::kind::skew && a.what != activity::kind::start
           && a.what != activity::kind::noise;
}

void print_right(std::ostream& out, const std::string& text, std::size_t width) {
    out << std::string(width - std::min(width, text.size()), ' ') << text;
}

} // namespace

void print_activities(std::span<const activity> all, std::ostream& out) {
    std::array<std::size_t, 4> widths{std::size("begin us") - 1, std::size("end us") - 1,
                                      std::size("rank") - 1, std::size("round") - 1};
    for (const activity& a : all) {
        widths[0] = std::max(widths[0], in_us(a.begin).size());
        widths[1] = std::max(widths[1], in_us(a.end).size());
        widths[2] = std::max(widths[2], std::to_string(a.rank).size());
        widths[3] = std::max(widths[3], std::to_string(a.round).size());
    }
    const auto line = [&](const std::array<std::string, 4>& cells, const std::string& rest) {
        for (std::size_t c = 0; c < cells.size(); ++c) {
            out << "  ";
            print_right(out, cells[c], widths[c]);
        }
        out << "  " << rest << '\n';
    };
    line({"begin us", "end us", "rank", "round"}, "what");
    for (const activity& a : all)
        line({in_us(a.begin), in_us(a.end), std::to_string(a.rank),
              is_of_round(a) ? std::to_string(a.round) : ""},
             words_for(a));
}

std::string path_json(const tutti::simulation_result& result) {
    const auto us = [](tutti::ticks t) {
        char text[64];
        std::snprintf(text, sizeof text, "%.6f", tutti::to_us(t));
        return std::string(text);
    };
    std::string text = "[";
    for (const activity& a : result.path) {
        const auto* const kind =
            std::find_if(kinds.begin(), kinds.end(), [&](const kind_heading& k) { return k.what == a.what; });
        const bool has_bytes = a.peer != tutti::no_rank || a.bytes > 0;
        text.append(text.size() > 1 ? ",\n" : "\n").append("    {\"begin_us\": ").append(us(a.begin));
        text.append(", \"end_us\": ").append(us(a.end));
        text.append(", \"rank\": ").append(std::to_string(a.rank));
        text.append(", \"round\": ").append(is_of_round(a) ? std::to_string(a.round) : "null");
        text.append(", \"what\": ").append(in_quotes(kind->name));
        text.append(", \"peer\": ").append(a.peer == tutti::no_rank ? "null" : std::to_string(a.peer));
        text.append(", \"bytes\": ").append(has_bytes ? std::to_string(a.bytes) : "null").append("}");
    }
    return text.append("]");
}

void print_path(const tutti::simulation_result& result, std::ostream& out) {
    const tutti::rank_type last = result.last();
    out << "What rank " << last << ", the last to finish, waited for:\n";
    print_activities(result.path, out);
    std::array<tutti::ticks, kinds.size()> sums{};
    for (const activity& a : result.path)
        for (std::size_t k = 0; k < kinds.size(); ++k)
            if (a.what == kinds[k].what) sums[k] += a.end - a.begin;
    out << "Of " << in_us(result.finish[static_cast<std::size_t>(last)]) << " us: ";
    const char* separator = "";
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (sums[k] == 0) continue;
        out << separator << kinds[k].heading << ' ' << in_us(sums[k]);
        separator = ", ";
    }
    out << '\n';
}

void print_histogram(std::span<const tutti::ticks> times, std::ostream& out) {
    constexpr std::size_t most_rows = 20;
    out << tutti::histogram(times, static_cast<int>(std::min(times.size(), most_rows))).text();
}

} // namespace program
