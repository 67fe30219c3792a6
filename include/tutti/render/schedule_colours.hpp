// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/render/load_scale.hpp>
#include <tutti/render/svg.hpp>

#if TUTTI_BODIES
#include <cstddef>
#endif

/// The colours of schedules, the same in all pictures. Blue for what is copied and held, vermilion for what
/// is folded: people who see no red or green tell them apart, and so does grey print, for folds are thick
/// with full heads, copies thin with open ones. (Blue and, somewhat darker, vermilion of Okabe and Ito 2002.)
namespace tutti::detail::colours {

inline constexpr std::string_view sheet = "#ffffff";
inline constexpr std::string_view ink = "#1f2933";
inline constexpr std::string_view quiet = "#52606d"; // second to the ink
inline constexpr std::string_view line = "#848e98";  // of ranks, frames, and what is held but needed no more
inline constexpr std::string_view paper = "#f5f7fa"; // empty blocks
inline constexpr std::string_view copied = "#0072b2";
inline constexpr std::string_view folded = "#bd5300";
inline constexpr std::string_view held = copied;

/// All of them, those of loads (load_scale.hpp) and activities (timeline_svg.hpp), and what becomes of them
/// in a dark room. Whatever is drawn has 3:1 at least against the sheet of its room, and the colours of words
/// 4.5:1; what matters less is told by its form, thin, dashed or hatched, never by being pale. Those that
/// pages use have the name of their variable there.
inline constexpr std::array<room_colour, 23> in_rooms{{{sheet, "#14181d", "sheet"},
                                                       {paper, "#1f262e", "paper"},
                                                       {ink, "#e8edf2", "ink"},
                                                       {quiet, "#a3b1bf", "quiet"},
                                                       {line, "#65717d", "line"},
                                                       {copied, "#4ba3dc", "copy"},
                                                       {folded, "#ff9440", "fold"},
                                                       {stroke_of(0).colour, "#6b7783", "load0"},
                                                       {stroke_of(1).colour, "#4f86bb", "load1"},
                                                       {stroke_of(2).colour, "#f0a53a", "load2"},
                                                       {stroke_of(3).colour, "#ff7d45", "load3"},
                                                       {stroke_of(4).colour, "#ff5c5c", "load4"},
                                                       {stroke_of(5).colour, "#ff79b4", "load5"},
                                                       {stroke_of(6).colour, "#e3a6ff", "load6"},
                                                       {stroke_of(7).colour, "#ffffff", "load7"},
                                                       {"#0a7d4f", "#46e0a0", "way"},
                                                       {"#7c3aed", "#c4a5ff", "focus"},
                                                       {"#3e4c59", "#c3ccd5"},
                                                       {"#009e73", "#2cc99a"},
                                                       {"#2f97d3", "#b5def7"},
                                                       {"#c4699c", "#cc79a7"},
                                                       {"#8a6000", "#f0e442"},
                                                       {"#7b8794", "#7b8794"}}};

/// How a picture says that something is needed no more, where its height says something else: hatched, as a
/// pattern of that name.
inline constexpr std::string_view hatch = "stale";
inline constexpr std::string_view hatched = "url(#stale)";

/// What a colour is in a dark room; it has to be one of the table.
constexpr room_colour in_rooms_of(std::string_view light) {
    return *std::find_if(in_rooms.begin(), in_rooms.end(),
                         [&](const room_colour& c) { return c.light == light; });
}

/// ":root" with a variable for every colour that has a name, for light rooms, dark ones, and paper, which is
/// light.
std::string page_variables();

/// The colour of a rank whose own blocks travel: from dark violet, rank 0, over blue and green to light
/// yellow, the last one. It grows lighter all the way, so that grey print and who sees no red or green has
/// the order, too. No such range is told from light and from dark sheets: it wants an outline. Example with
/// 5 ranks: rank 2 has "#2b9e8c".
std::string of_rank(rank_type r, rank_type size);

#if TUTTI_BODIES
TUTTI_BODY std::string page_variables() {
    const auto rule = [](std::string_view room_colour::*room) {
        std::string text = ":root {";
        for (const room_colour& c : in_rooms)
            if (!c.name.empty()) text.append(" --").append(c.name).append(": ").append(c.*room).append(";");
        return text.append(" }\n");
    };
    return rule(&room_colour::light)
        .append("@media screen and (prefers-color-scheme: dark) {\n")
        .append(rule(&room_colour::dark))
        .append("}\n");
}

TUTTI_BODY std::string of_rank(rank_type r, rank_type size) {
    constexpr std::array<std::array<int, 3>, 6> ramp{
        {{75, 42, 145}, {43, 108, 190}, {27, 153, 160}, {88, 178, 77}, {222, 178, 48}, {248, 232, 130}}};
    const double at = 5.0 * r / std::max<rank_type>(size - 1, 1);
    const auto k = std::min<std::size_t>(static_cast<std::size_t>(at), ramp.size() - 2);
    std::string text = "#";
    for (std::size_t c = 0; c < 3; ++c) {
        const double full = ramp[k][c] + (at - static_cast<double>(k)) * (ramp[k + 1][c] - ramp[k][c]);
        const auto value = static_cast<unsigned>(full + 0.5);
        for (const unsigned digit : {value / 16, value % 16}) text += "0123456789abcdef"[digit];
    }
    return text;
}
#endif

} // namespace tutti::detail::colours
