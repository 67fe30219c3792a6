// SPDX-License-Identifier: BSL-1.0
#include "chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>

#include "chart_parts.hpp"

namespace program {

namespace {

constexpr double left = 60, above = 66, below = 40;
constexpr double width = 640, least_height = 320, name_pitch = 13;
constexpr std::array<std::string_view, 4> dashes{"none", "6 3", "2 2", "8 2 2 2"};

/// From the power of `base` below the least to that above the greatest.
struct scale {
    double base, first, last;

    double of(double value) const {
        return last > first ? (std::log(value) / std::log(base) - first) / (last - first) : 0.5;
    }
};
scale scale_of(const chart& c, double base, double std::pair<double, double>::*axis) {
    double least = 0, most = 0;
    for (const chart_line& line : c.lines)
        for (const auto& point : line.points) {
            least = least == 0 ? point.*axis : std::min(least, point.*axis);
            most = std::max(most, point.*axis);
        }
    if (most == 0) return {base, 0, 1};
    const auto power = [base](double value) { return std::log(value) / std::log(base); };
    return {base, std::floor(power(least) + 1e-9), std::ceil(power(most) - 1e-9)};
}

std::optional<double> value_at(const chart_line& line, double x) {
    for (const auto& point : line.points)
        if (point.first == x) return point.second;
    return std::nullopt;
}

double height_of(const chart& c) {
    return std::max(least_height, name_pitch * static_cast<double>(c.lines.size()));
}

class drawing {
public:
    drawing(tutti::svg_writer& to, const chart& c, double top)
        : to_(to), c_(c), top_(top), height_(height_of(c)),
          x_(scale_of(c, 2, &std::pair<double, double>::first)),
          y_(scale_of(c, c.base, &std::pair<double, double>::second)), looks_(c.lines.size()) {
        for (std::size_t k = 0; k < looks_.size(); ++k) looks_[k] = k;
        if (c.least_wins) {
            ranges_ = winners(c);
            std::fill(looks_.begin(), looks_.end(), beaten);
            std::size_t next = 0;
            for (const winning_range& r : ranges_)
                if (looks_[r.line] == beaten) looks_[r.line] = next++;
        }
    }

    void draw() {
        to_.text(left, top_ + 14, 14, c_.title, "start", tint::ink, "bold");
        draw_axes();
        draw_winners();
        for (const bool wins : {false, true}) // what matters on top
            for (std::size_t k = 0; k < c_.lines.size(); ++k)
                if ((looks_[k] != beaten) == wins) draw_line(k);
        draw_names();
    }

private:
    static constexpr std::size_t beaten = static_cast<std::size_t>(-1);

    double at_x(double bytes) const { return left + x_.of(bytes) * width; }
    double at_y(double value) const { return top_ + above + (1 - y_.of(value)) * height_; }
    std::string_view colour(std::size_t line) const {
        return looks_[line] == beaten ? tint::beaten : chart_colour_of(looks_[line]);
    }

    void draw_axes() {
        const double bottom = top_ + above + height_;
        const int step =
            std::max(1, static_cast<int>(std::ceil((x_.last - x_.first) / 12))); // room for words
        for (int power = static_cast<int>(x_.first); power <= x_.last; power += step) {
            const double at = at_x(std::exp2(power));
            to_.element("line", {{"x1", at},
                                 {"y1", top_ + above},
                                 {"x2", at},
                                 {"y2", bottom},
                                 {"stroke", tint::grid},
                                 {"stroke-width", 0.4}});
            to_.text(at, bottom + 16, 10, bytes_text(std::exp2(power)), "middle", tint::quiet, "normal");
        }
        for (int power = static_cast<int>(y_.first); power <= y_.last; ++power) {
            const double value = std::pow(c_.base, power);
            to_.element("line", {{"x1", left},
                                 {"y1", at_y(value)},
                                 {"x2", left + width},
                                 {"y2", at_y(value)},
                                 {"stroke", tint::grid},
                                 {"stroke-width", 0.4}});
            to_.text(left - 6, at_y(value) + 4, 10, value_text(value, c_.unit), "end", tint::quiet, "normal");
        }
        to_.text(left + width / 2, bottom + 32, 11, "bytes", "middle", tint::quiet, "normal");
    }

    /// A strip above the lines: who is the lowest; at its borders where lines cross.
    void draw_winners() {
        double free_from = left; // of the words above the strip
        for (const winning_range& r : ranges_) {
            const double from = at_x(r.first), to = at_x(r.last);
            const std::string& name = c_.lines[r.line].name;
            to_.pointed("rect",
                        {{"class", "winner"},
                         {"x", from},
                         {"y", top_ + above - 26},
                         {"width", std::max(1.0, to - from)},
                         {"height", 16},
                         {"fill", colour(r.line)}},
                        name + " is the fastest from " + bytes_text(r.first) + " to " + bytes_text(r.last));
            if (6.4 * static_cast<double>(name.size()) + 6 < to - from)
                to_.text((from + to) / 2, top_ + above - 14, 10, name, "middle", tint::sheet, "bold");
            if (&r == ranges_.data()) continue;
            to_.element("line", {{"class", "crossover"},
                                 {"x1", from},
                                 {"y1", top_ + above - 28},
                                 {"x2", from},
                                 {"y2", top_ + above + height_},
                                 {"stroke", tint::quiet},
                                 {"stroke-dasharray", "3 3"}});
            const std::string words = bytes_text(r.first);
            const double half = 3.2 * static_cast<double>(words.size());
            if (from - half < free_from) continue;
            to_.text(from, top_ + above - 32, 10, words, "middle", tint::ink, "normal");
            free_from = from + half + 6;
        }
    }

    void draw_line(std::size_t k) {
        const chart_line& line = c_.lines[k];
        const bool wins = looks_[k] != beaten;
        std::string path;
        for (const auto& [bytes, value] : line.points) {
            std::array<char, 64> point{};
            std::snprintf(point.data(), point.size(), "%s%.1f,%.1f", path.empty() ? "" : " ", at_x(bytes),
                          at_y(value));
            path += point.data();
        }
        to_.open("g", {{"class", "line"}});
        to_.element("title", {}, line.name);
        to_.element("polyline", {{"points", path},
                                 {"fill", "none"},
                                 {"stroke", colour(k)},
                                 {"stroke-width", wins ? 2.0 : 1.0},
                                 {"stroke-dasharray",
                                  wins ? dashes[looks_[k] / chart_colours.size() % dashes.size()] : "none"}});
        for (const auto& [bytes, value] : line.points)
            to_.pointed(
                "circle",
                {{"cx", at_x(bytes)}, {"cy", at_y(value)}, {"r", wins ? 2.5 : 1.5}, {"fill", colour(k)}},
                line.name + ", " + bytes_text(bytes) + ": " + value_text(value, c_.unit));
        to_.close();
    }

    /// Names stand beside the ends of their lines, and make room for each other.
    void draw_names() {
        std::vector<std::pair<double, std::size_t>> ends;
        std::vector<double> wanted;
        for (std::size_t k = 0; k < c_.lines.size(); ++k)
            if (!c_.lines[k].points.empty()) ends.emplace_back(at_y(c_.lines[k].points.back().second), k);
        std::sort(ends.begin(), ends.end());
        for (const auto& end : ends) wanted.push_back(end.first);
        const std::vector<double> places = spread(wanted, top_ + above, top_ + above + height_, name_pitch);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const auto [end, k] = ends[i];
            to_.element("line", {{"x1", at_x(c_.lines[k].points.back().first) + 3},
                                 {"y1", end},
                                 {"x2", left + width + 22},
                                 {"y2", places[i]},
                                 {"stroke", colour(k)},
                                 {"stroke-width", 0.7}});
            to_.text(left + width + 26, places[i] + 4, 11, c_.lines[k].name, "start", colour(k),
                     looks_[k] != beaten && c_.least_wins ? "bold" : "normal");
        }
    }

    tutti::svg_writer& to_;
    const chart& c_;
    double top_, height_;
    scale x_, y_;
    std::vector<std::size_t> looks_; // of each line: which colour
    std::vector<winning_range> ranges_{};
};

} // namespace

std::vector<double> spread(const std::vector<double>& wanted, double low, double high, double pitch) {
    struct heap {
        double sum;
        std::size_t count;
    };
    const auto middle = [&](const heap& h) {
        const double half = pitch * static_cast<double>(h.count - 1) / 2;
        return std::clamp(h.sum / static_cast<double>(h.count), low + half,
                          std::max(low + half, high - half));
    };
    std::vector<heap> heaps;
    for (const double at : wanted) {
        heaps.push_back({at, 1});
        while (heaps.size() > 1) {
            const heap& last = heaps.back();
            const heap& before = heaps[heaps.size() - 2];
            const double apart = pitch * static_cast<double>(last.count + before.count) / 2;
            if (middle(last) - middle(before) >= apart) break;
            heaps[heaps.size() - 2] = {last.sum + before.sum, last.count + before.count};
            heaps.pop_back();
        }
    }
    std::vector<double> places;
    for (const heap& h : heaps)
        for (std::size_t k = 0; k < h.count; ++k)
            places.push_back(middle(h)
                             + pitch * (static_cast<double>(k) - static_cast<double>(h.count - 1) / 2));
    return places;
}

std::string bytes_text(double bytes) {
    constexpr std::array units{"", " Ki", " Mi", " Gi"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), bytes < 10 && unit > 0 ? "%.2g" : "%.0f", bytes);
    return text.data() + std::string(units[unit]);
}

std::string value_text(double value, std::string unit) {
    if (unit == " us" && value >= 1000) {
        const bool seconds = value >= 1e6;
        value /= seconds ? 1e6 : 1000;
        unit = seconds ? " s" : " ms";
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), value >= 1000 ? "%.0f" : "%.4g", value);
    return text.data() + unit;
}

std::vector<winning_range> winners(const chart& c) {
    std::vector<double> xs;
    for (const chart_line& line : c.lines)
        for (const auto& point : line.points) xs.push_back(point.first);
    std::sort(xs.begin(), xs.end());
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    std::vector<winning_range> ranges;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        const auto look = [&](std::size_t k) {
            if (const auto value = value_at(c.lines[k], xs[i]); value && *value < least) {
                least = *value;
                best = k;
            }
        };
        if (!ranges.empty()) look(ranges.back().line); // stays the winner while nobody is faster
        for (std::size_t k = 0; k < c.lines.size(); ++k) look(k);
        if (ranges.empty()) {
            ranges.push_back({xs[i], xs[i], best});
        } else if (ranges.back().line == best) {
            ranges.back().last = xs[i];
        } else {
            const chart_line &old = c.lines[ranges.back().line], &now = c.lines[best];
            const auto old_0 = value_at(old, xs[i - 1]), old_1 = value_at(old, xs[i]),
                       now_0 = value_at(now, xs[i - 1]);
            double part = 0.5;
            if (old_0 && old_1 && now_0) {
                const double before = std::log(*now_0 / *old_0), after = std::log(*old_1 / least);
                part = before + after > 0 ? before / (before + after) : 1;
            }
            const double crossing = xs[i - 1] * std::pow(xs[i] / xs[i - 1], part);
            ranges.back().last = crossing;
            ranges.push_back({crossing, xs[i], best});
        }
    }
    return ranges;
}

std::string chart_svg(const std::string& title, const std::vector<chart>& charts) {
    double all = heading_height(title);
    std::size_t longest = 0;
    for (const chart& c : charts) {
        all += above + height_of(c) + below + 10;
        for (const chart_line& line : c.lines) longest = std::max(longest, line.name.size());
    }
    const double wide = std::max(left + width + 40 + 7.3 * static_cast<double>(longest),
                                 40 + 9.5 * static_cast<double>(title.size()));
    tutti::svg_writer to(wide, all, title);
    double top = draw_heading(to, title);
    for (const chart& c : charts) {
        drawing(to, c, top).draw();
        top += above + height_of(c) + below + 10;
    }
    return std::move(to).finish();
}

} // namespace program
