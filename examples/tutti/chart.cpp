// SPDX-License-Identifier: BSL-1.0
#include "chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <tutti/render/svg.hpp>

namespace program {

namespace {

constexpr double left = 60, right = 190, above = 40, below = 40;
constexpr double width = 560, height = 320;
// Okabe and Ito's, but for the yellow, which is lost on white; then the same again, broken.
constexpr std::array<std::string_view, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000"};
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

std::string bytes_text(double bytes) {
    constexpr std::array units{"", " Ki", " Mi", " Gi"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    return std::to_string(static_cast<std::int64_t>(bytes)).append(units[unit]);
}
std::string value_text(double value, const std::string& unit) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data() + unit;
}

void draw(tutti::svg_writer& to, const chart& c, double top) {
    const scale x = scale_of(c, 2, &std::pair<double, double>::first);
    const scale y = scale_of(c, c.base, &std::pair<double, double>::second);
    const auto at_x = [&](double bytes) { return left + x.of(bytes) * width; };
    const auto at_y = [&](double us) { return top + above + (1 - y.of(us)) * height; };
    to.text(left, top + above - 14, 14, c.title, "start", "#222", "bold");
    const int step = static_cast<int>(std::ceil((x.last - x.first) / 12)); // so that labels have room
    for (int power = static_cast<int>(x.first); power <= x.last; power += std::max(1, step)) {
        const double bytes = std::exp2(power);
        to.element("line", {{"x1", at_x(bytes)},
                            {"y1", top + above},
                            {"x2", at_x(bytes)},
                            {"y2", top + above + height},
                            {"stroke", "#eee"}});
        to.text(at_x(bytes), top + above + height + 16, 10, bytes_text(bytes), "middle", "#555", "normal");
    }
    for (int power = static_cast<int>(y.first); power <= y.last; ++power) {
        const double us = std::pow(c.base, power);
        to.element(
            "line",
            {{"x1", left}, {"y1", at_y(us)}, {"x2", left + width}, {"y2", at_y(us)}, {"stroke", "#ddd"}});
        to.text(left - 6, at_y(us) + 4, 10, value_text(us, c.unit), "end", "#555", "normal");
    }
    to.text(left + width / 2, top + above + height + 32, 11, "bytes", "middle", "#555", "normal");

    // Names stand beside the ends of their lines, and make room for each other.
    std::vector<std::pair<double, std::size_t>> ends;
    for (std::size_t k = 0; k < c.lines.size(); ++k) {
        const std::string_view colour = colours[k % colours.size()];
        std::string path;
        for (const auto& [bytes, us] : c.lines[k].points) {
            std::array<char, 64> point{};
            std::snprintf(point.data(), point.size(), "%s%.1f,%.1f", path.empty() ? "" : " ", at_x(bytes),
                          at_y(us));
            path += point.data();
            to.pointed("circle", {{"cx", at_x(bytes)}, {"cy", at_y(us)}, {"r", 2.5}, {"fill", colour}},
                       c.lines[k].name + ", " + bytes_text(bytes) + ": " + value_text(us, c.unit));
        }
        to.element("polyline", {{"points", path},
                                {"fill", "none"},
                                {"stroke", colour},
                                {"stroke-width", 1.5},
                                {"stroke-dasharray", dashes[k / colours.size() % dashes.size()]}});
        if (!c.lines[k].points.empty()) ends.emplace_back(at_y(c.lines[k].points.back().second), k);
    }
    std::sort(ends.begin(), ends.end());
    double lowest = 0;
    for (const auto& [end, k] : ends) {
        lowest = std::max(end, lowest + 12);
        to.text(left + width + 8, lowest + 4, 11, c.lines[k].name, "start", colours[k % colours.size()],
                "normal");
    }
}

} // namespace

std::string chart_svg(const std::string& title, const std::vector<chart>& charts) {
    constexpr double each = above + height + below + 10;
    tutti::svg_writer to(left + width + right, 30 + each * static_cast<double>(charts.size()), title);
    to.text(left, 22, 15, title, "start", "#222", "bold");
    double top = 30;
    for (const chart& c : charts) {
        draw(to, c, top);
        top += each;
    }
    return std::move(to).finish();
}

} // namespace program
