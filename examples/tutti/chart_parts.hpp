// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/svg.hpp>

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

/// After Okabe and Ito, each 3:1 at least against its sheet, white or nearly black.
inline constexpr std::array<tutti::room_colour, 10> chart_colours{{{"#0072b2", "#4ba3dc"},
                                                                   {"#d55e00", "#ff9440"},
                                                                   {"#00895f", "#2cc99a"},
                                                                   {"#c0629a", "#e39cc4"},
                                                                   {"#8a6000", "#d9a13b"},
                                                                   {"#7b5bd6", "#b39dff"},
                                                                   {"#b0004f", "#ff6fa5"},
                                                                   {"#007f8c", "#5fd8e6"},
                                                                   {"#5f7d00", "#b5d33d"},
                                                                   {"#3e4c59", "#c3ccd5"}}};

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

/// Of a sheet, which may do without a title.
inline double heading_height(std::string_view title) { return title.empty() ? 0 : 36; }

/// What all sheets begin with; returns where the rest begins.
inline double draw_heading(tutti::svg_writer& to, std::string_view title) {
    adapt_to_room(to);
    if (!title.empty()) to.text(20, 24, 15, title, "start", tint::ink, "bold");
    return heading_height(title);
}

} // namespace program
