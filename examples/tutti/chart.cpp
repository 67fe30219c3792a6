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

constexpr double width = 520, least_height = 320; // of the ground on which lines are drawn
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

/// Of the charts on a sheet, by their letters.
struct chart_measures {
    double letter = 0; ///< height
    double left = 5 * letter, below = 3.6 * letter;
    double to_names = 2 * letter; ///< from the ground
    double name_pitch = 1.2 * letter;

    double height_of(const chart& c) const {
        return std::max(least_height, name_pitch * static_cast<double>(c.lines.size()));
    }
    /// For the title and, where it is told who wins, the strip of winners with its words.
    double above(const chart& c) const { return (c.least_wins ? 6 : 3) * letter; }
    double height_with_words(const chart& c) const { return above(c) + height_of(c) + below; }
    double sheet_width(std::size_t longest_name) const {
        return left + width + to_names + letter_width * letter * static_cast<double>(longest_name) + 10;
    }
};
chart_measures measures_of(std::size_t longest_name) {
    constexpr double beside = chart_measures{1}.left + chart_measures{1}.to_names; // in letters
    return {.letter = letter_height(width + 10, static_cast<double>(longest_name) + beside / letter_width)};
}

class drawing {
public:
    drawing(tutti::svg_writer& to, const chart_measures& m, const chart& c, double top)
        : to_(to), m_(m), c_(c), left_(m.left), top_(top), above_(top + m.above(c)), height_(m.height_of(c)),
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
        to_.text(left_, top_ + 1.6 * m_.letter, 1.1 * m_.letter, c_.title, "start", tint::ink, "bold");
        draw_axes();
        draw_winners();
        for (const bool wins : {false, true}) // what matters on top
            for (std::size_t k = 0; k < c_.lines.size(); ++k)
                if ((looks_[k] != beaten) == wins) draw_line(k);
        draw_names();
    }

private:
    static constexpr std::size_t beaten = static_cast<std::size_t>(-1);

    double at_x(double bytes) const { return left_ + x_.of(bytes) * width; }
    double at_y(double value) const { return above_ + (1 - y_.of(value)) * height_; }
    std::string_view colour(std::size_t line) const {
        return looks_[line] == beaten ? tint::beaten : chart_colour_of(looks_[line]);
    }

    void draw_axes() {
        const double bottom = above_ + height_;
        const double longest = 7 * letter_width * m_.letter; // words: "128 Ki" and a blank
        const int step = std::max(1, static_cast<int>(std::ceil((x_.last - x_.first) * longest / width)));
        for (int power = static_cast<int>(x_.first); power <= x_.last; power += step) {
            const double at = at_x(std::exp2(power));
            to_.element("line", {{"x1", at},
                                 {"y1", above_},
                                 {"x2", at},
                                 {"y2", bottom},
                                 {"stroke", tint::grid},
                                 {"stroke-width", 0.4}});
            words(at, bottom + 1.5 * m_.letter, bytes_text(std::exp2(power)), "middle");
        }
        for (int power = static_cast<int>(y_.first); power <= y_.last; ++power) {
            const double value = std::pow(c_.base, power);
            to_.element("line", {{"x1", left_},
                                 {"y1", at_y(value)},
                                 {"x2", left_ + width},
                                 {"y2", at_y(value)},
                                 {"stroke", tint::grid},
                                 {"stroke-width", 0.4}});
            words(left_ - 6, at_y(value) + to_baseline * m_.letter, value_text(value, c_.unit), "end");
        }
        words(left_ + width / 2, bottom + 2.8 * m_.letter, "bytes", "middle");
    }
    void words(double x, double y, std::string_view what, std::string_view anchor,
               std::string_view colour = tint::quiet, std::string_view weight = "normal") {
        to_.text(x, y, m_.letter, what, anchor, colour, weight);
    }

    /// A strip above the lines: who is the lowest; at its borders where lines cross.
    void draw_winners() {
        double free_from = left_; // of the words above the strip
        const double strip = 1.6 * m_.letter, strip_top = above_ - strip - 8;
        const auto width_of_words = [&](std::string_view what) {
            return letter_width * m_.letter * static_cast<double>(what.size());
        };
        for (const winning_range& r : ranges_) {
            const double from = at_x(r.first), to = at_x(r.last);
            const std::string& name = c_.lines[r.line].name;
            to_.pointed("rect",
                        {{"class", "winner"},
                         {"x", from},
                         {"y", strip_top},
                         {"width", std::max(1.0, to - from)},
                         {"height", strip},
                         {"fill", colour(r.line)}},
                        name + " is the fastest from " + bytes_text(r.first) + " to " + bytes_text(r.last));
            if (width_of_words(name) + 6 < to - from)
                words((from + to) / 2, strip_top + 0.5 * strip + to_baseline * m_.letter, name, "middle",
                      tint::sheet, "bold");
            if (&r == ranges_.data()) continue;
            to_.element("line", {{"class", "crossover"},
                                 {"x1", from},
                                 {"y1", strip_top - 2},
                                 {"x2", from},
                                 {"y2", above_ + height_},
                                 {"stroke", tint::quiet},
                                 {"stroke-dasharray", "3 3"}});
            const std::string crossing = bytes_text(r.first);
            const double half = width_of_words(crossing) / 2;
            if (from - half < free_from) continue;
            words(from, strip_top - 6, crossing, "middle", tint::ink);
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
        const std::vector<double> places = spread(wanted, above_, above_ + height_, m_.name_pitch);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const auto [end, k] = ends[i];
            to_.element("line", {{"x1", at_x(c_.lines[k].points.back().first) + 3},
                                 {"y1", end},
                                 {"x2", left_ + width + m_.to_names - 4},
                                 {"y2", places[i]},
                                 {"stroke", colour(k)},
                                 {"stroke-width", 0.7}});
            words(left_ + width + m_.to_names, places[i] + to_baseline * m_.letter, c_.lines[k].name, "start",
                  colour(k), looks_[k] != beaten && c_.least_wins ? "bold" : "normal");
        }
    }

    tutti::svg_writer& to_;
    const chart_measures& m_;
    const chart& c_;
    double left_, top_, above_, height_; ///< of the ground; above_ is its upper end
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
    std::size_t longest = 0;
    for (const chart& c : charts)
        for (const chart_line& line : c.lines) longest = std::max(longest, line.name.size());
    const chart_measures m = measures_of(longest);
    const double wide = m.sheet_width(longest);
    const sheet_heading heading(title, wide, m.letter);
    double all = heading.height();
    for (const chart& c : charts) all += m.height_with_words(c);
    tutti::svg_writer to(wide, all, title);
    heading.draw(to);
    double top = heading.height();
    for (const chart& c : charts) {
        drawing(to, m, c, top).draw();
        top += m.height_with_words(c);
    }
    return std::move(to).finish();
}

} // namespace program
