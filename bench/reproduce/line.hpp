// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace reproduce {

/// One claim of a paper, and what tutti makes of it. `reproduced` is computed from `ours`, never written
/// down.
struct line {
    std::string claim; ///< short, with the table, figure or section where it stands
    std::string paper; ///< its figure, as the text gives it, with the unit
    std::string ours;  ///< the same, computed, simulated
    bool reproduced = false;
    std::string why{}; ///< how ours was come by, what was assumed or fitted; where it differs, why
};

/// What was looked at in one paper.
struct paper {
    std::string name;  ///< "moody_2003", for --only and JSON
    std::string title; ///< authors, year, title, in one line
    std::vector<line> lines{};

    void add(line l) { lines.push_back(std::move(l)); }
};

/// "1.50"
inline std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

/// "4, 2, 2, 2": text(x) of every x.
template <class List, class Text>
std::string listed(const List& all, Text&& text, const char* between = ", ") {
    std::string result;
    for (const auto& x : all) {
        if (!result.empty()) result += between;
        result += text(x);
    }
    return result;
}

/// Whether `value` is within `part` (0.1: a tenth) of `reference`.
inline bool near(double value, double reference, double part) {
    return std::abs(value - reference) <= part * std::abs(reference);
}

} // namespace reproduce
