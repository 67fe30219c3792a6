// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/simulate/result.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/timeline_words.hpp>
#endif

namespace tutti {

/// What happened in a simulation, as a picture: time from left to right, a line per rank, with what every
/// message takes apart from what its bytes do, and ranks that wait. `result` is that of a simulation with
/// keep_timeline; with keep_path it shows what the last rank to finish waited for, too. What one points at
/// says what it is: of a message how long it waited for links, of a rank that waits for whom, and since when
/// that one has sent. Whatever belongs to a message has its number as data-message.
///
/// Throws argument_error if there is no timeline, or more than 256 ranks or 20000 activities.
/// `links`: what those of the network are called; "link 5" where there are none.
std::string timeline_svg(const simulation_result& result, const picture_heading& heading,
                         const std::vector<std::string>& links = {});

#if TUTTI_BODIES
namespace detail {
/// Draws what a simulation logged: time from left to right, a line per rank, a bar for everything that takes
/// its CPU, dots where it waits, a thin line for every message on its way.
class timeline_drawing {
public:
    timeline_drawing(const simulation_result& result, const picture_heading& heading,
                     const std::vector<std::string>& links)
        : result_(result), links_(links),
          end_(std::max<ticks>(
              1, result.finish.empty() ? 1 : *std::max_element(result.finish.begin(), result.finish.end()))),
          top_(heading_height(heading) + 62), pitch_(std::clamp(520.0 / ranks(), 8.0, 26.0)),
          messages_(result), waits_(waits_of(result)),
          svg_(left + span + 40, top_ + pitch_ * ranks() + 24, heading.title) {
        draw_heading(svg_, heading, left + span + 40);
        draw_legend();
        draw_axis();
        draw_ranks();
        draw_flights();
        draw_waits();
        draw_bars();
        draw_path();
    }
    std::string finish() && { return std::move(svg_).finish(); }

private:
    using kind = activity::kind;
    struct look {
        kind what;
        std::string_view name;
        std::string_view colour;
        double height; // of the bar, as a part of the line's
    };
    static constexpr std::array<look, 8> looks{{{kind::skew, "late start", colours::line, 0.3},
                                                {kind::noise, "noise", "#3e4c59", 0.9},
                                                {kind::start, "hand over", "#c4699c", 0.62},
                                                {kind::signal, "interrupt", "#8a6000", 0.62},
                                                {kind::send, "send", colours::copied, 0.62},
                                                {kind::recv, "receive", "#2f97d3", 0.62},
                                                {kind::fold, "fold", colours::folded, 0.62},
                                                {kind::copy, "copy", "#009e73", 0.62}}};

    static constexpr double left = 64;
    static constexpr double span = 1080;

    double ranks() const { return static_cast<double>(std::max<std::size_t>(result_.finish.size(), 1)); }
    double x(ticks t) const { return left + span * static_cast<double>(t) / static_cast<double>(end_); }
    double y(rank_type r) const { return top_ + pitch_ * (r + 0.5); }

    void draw_legend() {
        double at = 24;
        svg_.open("g", {{"class", "legend"}});
        const auto told = [&](double beside, std::string_view words) {
            draw_text(svg_, at + beside, top_ - 44, 11, words, "start", colours::quiet);
            at += beside + text_width(words, 11) + 20;
        };
        for (const look& l : looks) {
            const auto is_such = [&](const activity& a) { return a.what == l.what; };
            if (std::none_of(result_.timeline.begin(), result_.timeline.end(), is_such)) continue;
            svg_.element("rect",
                         {{"x", at}, {"y", top_ - 54}, {"width", 14}, {"height", 11}, {"fill", l.colour}});
            told(19, l.name);
        }
        if (std::any_of(result_.timeline.begin(), result_.timeline.end(), has_overhead)) {
            draw_overhead(at, top_ - 54, 14, 11);
            told(19, "overhead of a message");
        }
        if (!waits_.empty()) {
            draw_dots(at, at + 22, top_ - 48);
            told(28, "waits");
        }
        if (!result_.path.empty()) {
            svg_.element("line", {{"class", "path"},
                                  {"x1", at},
                                  {"y1", top_ - 48},
                                  {"x2", at + 22},
                                  {"y2", top_ - 48},
                                  {"stroke", colours::ink},
                                  {"stroke-width", 2}});
            told(28, "what the last rank waited for");
        }
        svg_.close();
    }

    /// Some ten marks at round times.
    void draw_axis() {
        const double us = static_cast<double>(end_) / ticks_per_us;
        double apart = std::pow(10.0, std::floor(std::log10(us / 5)));
        while (us / apart > 12) apart *= us / apart > 30 ? 5 : 2;
        svg_.open("g", {{"class", "scale"}});
        for (int k = 0; k * apart <= us * 1.0001; ++k) {
            const double at = left + span * k * apart / us;
            svg_.element("line", {{"class", "tick"},
                                  {"x1", at},
                                  {"y1", top_ - 8},
                                  {"x2", at},
                                  {"y2", top_ + pitch_ * ranks()},
                                  {"stroke", colours::line},
                                  {"stroke-width", 0.4}});
            draw_text(svg_, at, top_ - 13, 10, svg_number(k * apart), "middle", colours::quiet);
        }
        draw_text(svg_, left + span + 36, top_ - 13, 10, "µs", "end", colours::quiet);
        svg_.close();
    }

    void draw_ranks() {
        svg_.open("g", {{"class", "ranks"}});
        const double size = std::min(11.0, pitch_ - 1);
        const auto every = static_cast<rank_type>(std::ceil(9 / pitch_)); // numbers that find room
        for (rank_type r = 0; r < static_cast<rank_type>(result_.finish.size()); ++r) {
            svg_.element("line", {{"class", "axis"},
                                  {"x1", left},
                                  {"y1", y(r)},
                                  {"x2", x(result_.finish[static_cast<std::size_t>(r)])},
                                  {"y2", y(r)},
                                  {"stroke", colours::line},
                                  {"stroke-width", 0.5}});
            if (r % every == 0)
                draw_text(svg_, left - 10, y(r) + 0.36 * size, size, std::to_string(r), "end");
        }
        draw_text(svg_, left - 10, top_ - 13, 10, "rank", "end", colours::quiet);
        svg_.close();
    }

    void draw_flights() {
        svg_.open("g", {{"class", "flights"}, {"stroke", colours::line}, {"stroke-width", 0.8}});
        for (const activity& a : result_.timeline)
            if (a.what == kind::flight)
                svg_.pointed("line",
                             {{"class", "flight"},
                              {"data-round", a.round},
                              {"data-message", a.message},
                              {"x1", x(a.begin)},
                              {"y1", y(a.rank)},
                              {"x2", x(a.end)},
                              {"y2", y(a.peer)}},
                             words_of(a, "on the way", links_) + messages_.words_of_delay(a));
        svg_.close();
    }

    void draw_waits() {
        svg_.open("g", {{"class", "waits"}});
        for (const timeline_wait& w : waits_) {
            draw_dots(x(w.begin), x(w.end), y(w.rank));
            svg_.pointed("rect", // wider than the dots: it is pointed at
                         {{"class", "wait"},
                          {"data-message", messages_.awaited(w) != nullptr ? w.next->message : -1},
                          {"x", x(w.begin)},
                          {"y", y(w.rank) - 0.31 * pitch_},
                          {"width", x(w.end) - x(w.begin)},
                          {"height", 0.62 * pitch_},
                          {"fill-opacity", 0}},
                         messages_.words(w));
        }
        svg_.close();
    }
    void draw_dots(double begin, double end, double at) {
        svg_.element("line", {{"class", "dots"},
                              {"x1", begin},
                              {"y1", at},
                              {"x2", end},
                              {"y2", at},
                              {"stroke", colours::quiet},
                              {"stroke-width", 2},
                              {"stroke-dasharray", "2 3"}});
    }

    void draw_bars() {
        svg_.open("g", {{"class", "activities"}});
        for (const activity& a : result_.timeline)
            for (const look& l : looks) {
                if (a.what != l.what) continue;
                svg_.pointed("rect",
                             {{"class", "activity"},
                              {"data-round", a.round},
                              {"data-message", a.message},
                              {"x", x(a.begin)},
                              {"y", y(a.rank) - pitch_ * l.height / 2},
                              {"width", std::max(0.6, x(a.end) - x(a.begin))},
                              {"height", pitch_ * l.height},
                              {"fill", l.colour}},
                             words_of(a, l.name, links_));
            }
        for (const activity& a : result_.timeline)
            if (has_overhead(a))
                draw_overhead(x(a.begin), y(a.rank) - pitch_ * 0.31, x(a.begin + a.overhead) - x(a.begin),
                              pitch_ * 0.62);
        svg_.close();
    }
    /// Over the bar that it is a part of.
    void draw_overhead(double left_end, double upper, double wide, double high) {
        svg_.element("rect", {{"class", "overhead"},
                              {"x", left_end},
                              {"y", upper},
                              {"width", wide},
                              {"height", high},
                              {"fill", colours::ink},
                              {"fill-opacity", 0.45},
                              {"pointer-events", "none"}});
    }

    /// A line along which the last rank's end hangs on what came before.
    void draw_path() {
        if (result_.path.empty()) return;
        std::string points;
        const auto add = [&](double px, double py) {
            points.append(points.empty() ? "" : " ").append(svg_number(px));
            points.append(",").append(svg_number(py));
        };
        for (const activity& a : result_.path) {
            add(x(a.begin), y(a.rank));
            add(x(a.end), y(a.what == kind::flight ? a.peer : a.rank));
        }
        svg_.element("polyline", {{"class", "path"},
                                  {"points", points},
                                  {"fill", "none"},
                                  {"stroke", colours::ink},
                                  {"stroke-width", 2},
                                  {"stroke-linejoin", "round"}});
    }

    const simulation_result& result_;
    const std::vector<std::string>& links_; // their names
    ticks end_;
    double top_;
    double pitch_; // of ranks
    timeline_messages messages_;
    std::vector<timeline_wait> waits_;
    svg_writer svg_;
};
} // namespace detail

TUTTI_BODY std::string timeline_svg(const simulation_result& result, const picture_heading& heading,
                                    const std::vector<std::string>& links) {
    constexpr std::int64_t most_ranks = 256;
    constexpr std::int64_t most_activities = 20000;
    const auto ranks = static_cast<std::int64_t>(result.finish.size());
    const auto activities = static_cast<std::int64_t>(result.timeline.size());
    if (ranks > most_ranks)
        detail::throw_argument("ranks in a picture", ranks, "at most " + std::to_string(most_ranks));
    if (activities > most_activities)
        detail::throw_argument("activities in a picture", activities,
                               "at most " + std::to_string(most_activities));
    if (activities == 0 && result.messages > 0)
        throw argument_error("timeline of the simulation", "empty",
                             "that of a simulation with keep_timeline");
    return detail::timeline_drawing(result, heading, links).finish();
}
#endif

} // namespace tutti
