// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/core/rank.hpp>
#include <tutti/render/load_scale.hpp>
#include <tutti/render/svg.hpp>

/// The colours of schedules, the same in all pictures. Blue for what is copied and held, vermilion for what
/// is folded: people who see no red or green tell them apart, and so does grey print, for folds are thick
/// with full heads, copies thin with open ones. (Blue and vermilion of Okabe and Ito 2002.)
namespace tutti::detail::colours {

inline constexpr std::string_view ink = "#1f2933";
inline constexpr std::string_view quiet = "#52606d"; // second to the ink
inline constexpr std::string_view line = "#cbd2d9";  // of ranks and frames
inline constexpr std::string_view paper = "#f5f7fa"; // empty blocks
inline constexpr std::string_view copied = "#0072b2";
inline constexpr std::string_view folded = "#d55e00";
inline constexpr std::string_view held = "#0072b2";
inline constexpr std::string_view held_no_more = "#c3ccd5"; // held, but needed no more

/// What becomes of them, of the sheet, and of loads (load_scale.hpp) and activities (timeline_svg.hpp), in a
/// dark room: 3:1 at least against its sheet, but for what is meant to be faint.
inline constexpr std::array<room_colour, 21> in_rooms{{{ink, "#e8edf2"},
                                                       {quiet, "#a3b1bf"},
                                                       {line, "#3b4754"},
                                                       {paper, "#1f262e"},
                                                       {copied, "#4ba3dc"},
                                                       {folded, "#ff9440"},
                                                       {held_no_more, "#46525f"},
                                                       {"#ffffff", "#14181d"},
                                                       {stroke_of(0).colour, "#2b343e"},
                                                       {stroke_of(1).colour, "#3f6c99"},
                                                       {stroke_of(2).colour, "#f0a53a"},
                                                       {stroke_of(3).colour, "#ff7d45"},
                                                       {stroke_of(4).colour, "#ff5c5c"},
                                                       {stroke_of(5).colour, "#ff79b4"},
                                                       {stroke_of(6).colour, "#e3a6ff"},
                                                       {stroke_of(7).colour, "#ffffff"},
                                                       {"#e4e8ec", "#2b343e"},
                                                       {"#9aa5b1", "#6b7785"},
                                                       {"#3e4c59", "#c3ccd5"},
                                                       {"#009e73", "#2cc99a"},
                                                       {"#56b4e9", "#b5def7"}}};

/// The colour of a rank whose own blocks travel: from dark violet, rank 0, over blue and green to light
/// yellow, the last one. It grows lighter all the way, so that grey print and who sees no red or green has
/// the order, too. `pale`: of what is needed no more. Example with 5 ranks: rank 2 has "#2b9e8c".
inline std::string of_rank(rank_type r, rank_type size, bool pale = false) {
    constexpr std::array<std::array<int, 3>, 6> ramp{
        {{75, 42, 145}, {43, 108, 190}, {27, 153, 160}, {88, 178, 77}, {222, 178, 48}, {248, 232, 130}}};
    const double at = 5.0 * r / std::max<rank_type>(size - 1, 1);
    const auto k = std::min<std::size_t>(static_cast<std::size_t>(at), ramp.size() - 2);
    std::string text = "#";
    for (std::size_t c = 0; c < 3; ++c) {
        const double full = ramp[k][c] + (at - static_cast<double>(k)) * (ramp[k + 1][c] - ramp[k][c]);
        const auto value = static_cast<unsigned>(pale ? 255 - 0.3 * (255 - full) : full + 0.5);
        for (const unsigned digit : {value / 16, value % 16}) text += "0123456789abcdef"[digit];
    }
    return text;
}

} // namespace tutti::detail::colours
