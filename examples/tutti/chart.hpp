// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace program {

/// A line of a chart: what it is, and its points, ascending.
struct chart_line {
    std::string name;
    std::vector<std::pair<double, double>> points{}; ///< both positive
};
struct chart {
    std::string title;
    std::vector<chart_line> lines{};
    std::string unit = " us"; ///< of what stands over the bytes
    double base = 10;         ///< of its axis: a line for every power
};

/// One below the other, times or the like over bytes, both axes logarithmic; at each line's end its name.
std::string chart_svg(const std::string& title, const std::vector<chart>& charts);

} // namespace program
