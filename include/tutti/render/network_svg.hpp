// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/message_way.hpp>
#include <tutti/render/network_plan.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/topology/placement.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>

#include <tutti/core/error.hpp>
#include <tutti/render/load_drawing.hpp>
#endif

namespace tutti {

namespace detail {

std::string network_picture(const network_plan& plan, const placement& at,
                            const std::vector<std::int64_t>& loads, const picture_heading& heading,
                            const std::vector<message_way>& ways);

} // namespace detail

/// A network as a picture: every directed link a line (class="link") whose colour and thickness tell its
/// load, those of more than one message with an arrow; nodes without a rank drawn as holes; a legend with the
/// number of links of each load. `load(link)` is a link's load. `ways`: messages whose whole ways are drawn
/// on top, in colours that a legend gives: those that meet on the worst link. (Of a fat-tree fat_tree_svg()
/// says more.)
template <class Load>
std::string network_svg(const network_plan& plan, const placement& at, Load&& load,
                        const picture_heading& heading, const std::vector<message_way>& ways = {}) {
    if (at.nodes() != static_cast<node_type>(plan.nodes.size()))
        detail::throw_argument("nodes of the placement", at.nodes(),
                               std::to_string(plan.nodes.size()) + ", those of the network");
    std::vector<std::int64_t> loads;
    for (link_index l = 0; l < static_cast<link_index>(plan.links.size()); ++l) loads.push_back(load(l));
    return detail::network_picture(plan, at, loads, heading, ways);
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string network_picture(const network_plan& plan, const placement& at,
                                       const std::vector<std::int64_t>& loads, const picture_heading& heading,
                                       const std::vector<message_way>& ways) {
    const double width = std::max(plan.width, 840.0);
    const double scale = std::max(1.0, width / 1400);
    const double top = (48 + 20 * static_cast<double>(heading.lines.size() + (ways.empty() ? 1 : 2))) * scale;
    svg_writer svg(width, top + plan.height, heading.title);
    const load_drawing on_sheet(svg, width, scale);
    on_sheet.define_arrows(9);
    on_sheet.draw_heading(heading);
    on_sheet.draw_loads(top - (ways.empty() ? 4 : 24) * scale, loads, at.ranks() < at.nodes());
    on_sheet.draw_meeting(top - 4 * scale, ways);
    std::string place = "translate(";
    place.append(svg_number((width - plan.width) / 2)).append(" ");
    place.append(svg_number(top)).append(")");
    svg.open("g", {{"transform", place}});
    svg.open("g", {{"class", "links"}, {"stroke-linecap", "round"}, {"fill", "none"}});
    for (const std::size_t l : load_drawing::order_of(loads)) {
        const std::size_t c = load_class_of(loads[l]);
        svg.pointed("path",
                    {{"class", "link"},
                     {"d", plan.links[l]},
                     {"stroke", stroke_of(c).colour},
                     {"stroke-width", stroke_of(c).width},
                     {"stroke-dasharray", stroke_of(c).dashes},
                     {"marker-end", c >= 2 ? "url(#" + load_drawing::arrow_id(c) + ")" : "none"}},
                    plan.names[l] + ": load " + std::to_string(loads[l]));
    }
    svg.close();
    on_sheet.draw_ways(ways, [&](link_index l) { return plan.links[static_cast<std::size_t>(l)]; });
    for (const network_plan::box& b : plan.switches) {
        svg.element("rect", {{"class", "switch"},
                             {"x", b.x - b.width / 2},
                             {"y", b.y - b.height / 2},
                             {"width", b.width},
                             {"height", b.height},
                             {"rx", 3},
                             {"fill", colours::paper},
                             {"stroke", "#7b8794"}});
        on_sheet.text(b.x, b.y + 0.36 * b.font, b.font, b.label, "middle");
    }
    for (node_type n = 0; n < at.nodes(); ++n) {
        const network_plan::disc& d = plan.nodes[static_cast<std::size_t>(n)];
        const rank_type rank = at.rank_at(n);
        const std::string rank_text = rank == no_rank ? "none" : std::to_string(rank);
        on_sheet.draw_node(
            d.x, d.y, d.radius, rank != no_rank,
            std::string("node ").append(std::to_string(n)).append(", rank ").append(rank_text));
        if (rank != no_rank && n % plan.every == 0)
            on_sheet.text(d.label_x, d.label_y, 10, rank_text, "middle");
    }
    svg.close();
    return std::move(svg).finish();
}
} // namespace detail
#endif

} // namespace tutti
