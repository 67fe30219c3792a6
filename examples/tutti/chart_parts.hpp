// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/svg.hpp>

#include "wrapping.hpp"

/// What charts have in common: colours, and what becomes of them in a dark room.
namespace program {

namespace colours = tutti::detail::colours;

namespace tint {
inline constexpr std::string_view ink = colours::ink, quiet = colours::quiet, grid = colours::line,
                                  sheet = colours::sheet, beaten = "#6b7785";
} // namespace tint

/// What becomes of them.
inline constexpr std::array<tutti::room_colour, 5> tints{
    {colours::in_rooms_of(tint::ink), colours::in_rooms_of(tint::quiet), colours::in_rooms_of(tint::grid),
     colours::in_rooms_of(tint::sheet), tutti::room_colour{tint::beaten, "#8b98a6"}}};

/// After Okabe and Ito, each 4.5:1 at least against its sheet, white or nearly black: names are written in
/// them.
inline constexpr std::array<tutti::room_colour, 12> chart_colours{{{"#0072b2", "#4ba3dc"},
                                                                   {"#bd5300", "#ff9440"},
                                                                   {"#008058", "#2cc99a"},
                                                                   {"#b34f8a", "#e39cc4"},
                                                                   {"#8a6000", "#d9a13b"},
                                                                   {"#7b5bd6", "#b39dff"},
                                                                   {"#b0004f", "#ff6fa5"},
                                                                   {"#007f8c", "#5fd8e6"},
                                                                   {"#5f7d00", "#b5d33d"},
                                                                   {"#3e4c59", "#c3ccd5"},
                                                                   {"#a4262c", "#ff8a80"},
                                                                   {"#2b3fa8", "#8fa2ff"}}};

inline std::string_view chart_colour_of(std::size_t k) {
    return chart_colours[k % chart_colours.size()].light;
}

/// Rules by which every colour of a chart becomes that for dark rooms.
inline void adapt_to_room(tutti::svg_writer& to) {
    std::vector<tutti::room_colour> all(chart_colours.begin(), chart_colours.end());
    all.insert(all.end(), tints.begin(), tints.end());
    to.adapt_to_room(all);
    to.element("style", {}, ".line:hover polyline { stroke-width: 4; }");
}

/// How wide a letter is for its height, bold ones too: an upper bound for most words.
inline constexpr double letter_width = 0.67;

/// How far below the middle of a line of words its letters stand, for their height.
inline constexpr double to_baseline = 0.36;

/// The height of all letters of a sheet that is `fixed` wide and `letters` more, in letters: such that they
/// have 10 pixels at least where it is shown 600 wide, in a column of a document or a narrow window.
inline double letter_height(double fixed, double letters) {
    constexpr double least = 13, narrow = 60, most = 50;
    const double height = fixed / (narrow - std::min(letter_width * letters, most));
    return std::max(least, std::ceil(2 * height) / 2);
}

/// What all sheets begin with, in lines as wide as the sheet: the title, if there is one.
class sheet_heading {
public:
    sheet_heading(const std::string& title, double sheet_width, double height) : size_(1.2 * height) {
        if (!title.empty())
            lines_ = wrapped(title, static_cast<std::size_t>((sheet_width - 40) / (letter_width * size_)));
    }
    double height() const {
        return lines_.empty() ? 0 : (1.4 * static_cast<double>(lines_.size()) + 0.8) * size_;
    }

    void draw(tutti::svg_writer& to) const {
        adapt_to_room(to);
        double y = 0.2 * size_;
        for (const std::string& line : lines_)
            to.text(20, y += 1.4 * size_, size_, line, "start", tint::ink, "bold");
    }

private:
    double size_;
    std::vector<std::string> lines_{};
};

} // namespace program
