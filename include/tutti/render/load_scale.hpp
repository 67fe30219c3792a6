// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>

namespace tutti {

/// How a link is drawn: dashed and thin where it carries nothing, blue for one message, from two on warm,
/// dark and thick. The scale is the same for all pictures, so that two of them can be compared; brightness
/// and thickness tell as much as the colour does.
struct link_stroke {
    std::string_view colour;          ///< "#8a949e", with static lifetime
    double width;                     ///< in pixels
    std::string_view dashes = "none"; ///< as stroke-dasharray

    friend constexpr bool operator==(const link_stroke&, const link_stroke&) = default;
};

/// Loads that are drawn alike.
struct load_class {
    std::int64_t low = 0;  ///< messages that take the link
    std::int64_t high = 0; ///< this load, too

    friend constexpr bool operator==(const load_class&, const load_class&) = default;
};

namespace detail {
/// 0, 1, 2, 3, 4, 5..8, 9..16, 17 and more
inline constexpr std::array<link_stroke, 8> load_strokes{{{"#8a949e", 0.8, "2 4"},
                                                          {"#4a8fd0", 1.3},
                                                          {"#c87400", 2.8},
                                                          {"#d83c08", 3.4},
                                                          {"#c01515", 4.0},
                                                          {"#900a4a", 4.6},
                                                          {"#5c0760", 5.2},
                                                          {"#26083f", 6.0}}};
} // namespace detail

/// How many classes of loads there are; class 0 is that of load 0, class 1 of load 1.
inline constexpr std::size_t load_classes = detail::load_strokes.size();

/// Which class a load is in.  Example: loads 0..5, 9, 1000 are in 0, 1, 2, 3, 4, 5, 6, 7.
constexpr std::size_t load_class_of(std::int64_t load) noexcept {
    if (load <= 4) return load < 0 ? 0 : static_cast<std::size_t>(load);
    const auto c = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(load - 1))) + 2;
    return c < load_classes ? c : load_classes - 1;
}

/// Of class 0 <= load_class < load_classes, which is not checked.
constexpr link_stroke stroke_of(std::size_t load_class) noexcept { return detail::load_strokes[load_class]; }

/// An entry of a legend: loads, how many links have one of them, how these are drawn.
struct legend_entry {
    load_class loads;       ///< the least and the largest that occur
    std::int64_t links = 0; ///< with a load of this class
    link_stroke stroke{};   ///< of all of them
};

/// One entry per class of `distribution` (load -> number of links), with the loads that really occur.
std::vector<legend_entry> legend_of(const std::map<std::int64_t, std::int64_t>& distribution);

#if TUTTI_BODIES
TUTTI_BODY std::vector<legend_entry> legend_of(const std::map<std::int64_t, std::int64_t>& distribution) {
    std::vector<legend_entry> legend;
    std::size_t last = load_classes;
    for (const auto& [load, links] : distribution) {
        const std::size_t c = load_class_of(load);
        if (c != last) legend.push_back({.loads = {load, load}, .links = 0, .stroke = stroke_of(c)});
        last = c;
        legend.back().loads.high = load;
        legend.back().links += links;
    }
    return legend;
}
#endif

} // namespace tutti
