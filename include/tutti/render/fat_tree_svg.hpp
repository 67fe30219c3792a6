// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/message_way.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/topology/fat_tree.hpp>
#include <tutti/topology/placement.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <string_view>

#include <tutti/render/fat_tree_layout.hpp>
#include <tutti/render/load_drawing.hpp>
#include <tutti/render/svg.hpp>
#endif

namespace tutti {

namespace detail {

std::string fat_tree_picture(const fat_tree& tree, const placement& at, std::vector<std::int64_t> loads,
                             const picture_heading& heading, const std::vector<message_way>& ways);

} // namespace detail

/// A fat-tree as a picture: every directed link a line (class="link") whose colour and thickness tell its
/// load, those of more than one message with an arrow; every switch labelled <w,l>; nodes without a rank
/// drawn as holes; a legend with the number of links of each load. `load(link)` is a link's load.
/// `ways`: messages whose whole ways are drawn on top, in colours that a legend gives: those that meet on the
/// worst link.
template <class Load>
std::string fat_tree_svg(const fat_tree& tree, const placement& at, Load&& load,
                         const picture_heading& heading, const std::vector<message_way>& ways = {}) {
    if (at.nodes() != tree.nodes())
        detail::throw_argument("nodes of the placement", at.nodes(),
                               std::to_string(tree.nodes()) + ", those of the tree");
    std::vector<std::int64_t> loads;
    for (link_index l = 0; l < tree.links(); ++l) loads.push_back(load(l));
    return detail::fat_tree_picture(tree, at, std::move(loads), heading, ways);
}

#if TUTTI_BODIES
namespace detail {
/// Draws one picture; the parts in the order in which they cover each other.
class fat_tree_drawing {
public:
    fat_tree_drawing(const fat_tree& tree, const placement& at, std::vector<std::int64_t> loads,
                     const picture_heading& heading, const std::vector<message_way>& ways)
        : tree_(tree), at_(at), loads_(std::move(loads)),
          layout_(tree, heading.lines.size() + (ways.empty() ? 0 : 1)),
          svg_(layout_.width(), layout_.height(), heading.title),
          sheet_(svg_, layout_.width(), layout_.scale()) {
        const double s = layout_.scale();
        sheet_.define_arrows(9 * layout_.emphasis());
        sheet_.draw_heading(heading);
        sheet_.draw_loads(layout_.top() - (ways.empty() ? 26 : 46) * s, loads_, at.ranks() < at.nodes());
        sheet_.draw_meeting(layout_.top() - 26 * s, ways);
        draw_links();
        if (!ways.empty())
            sheet_.draw_ways(ways, [this](link_index l) {
                const fat_tree_layout::ends e = layout_.ends_of(tree_.parts(l));
                std::string path = "M";
                path.append(svg_number(e.x1)).append(",").append(svg_number(e.y1)).append(" L");
                return path.append(svg_number(e.x2)).append(",").append(svg_number(e.y2));
            });
        for (int l = tree.levels(); l > 0; --l) draw_switches(l);
        draw_nodes();
        draw_margin();
    }
    std::string finish() && { return std::move(svg_).finish(); }

private:
    void draw_links() {
        svg_.open("g", {{"class", "links"}, {"stroke-linecap", "round"}});
        for (const std::size_t number : load_drawing::order_of(loads_)) {
            const auto l = static_cast<link_index>(number);
            const std::int64_t load = loads_[number];
            const fat_tree_layout::ends e = layout_.ends_of(tree_.parts(l));
            const std::size_t c = load_class_of(load);
            const link_stroke stroke = stroke_of(c);
            svg_.pointed("line",
                         {{"class", "link"},
                          {"x1", e.x1},
                          {"y1", e.y1},
                          {"x2", e.x2},
                          {"y2", e.y2},
                          {"stroke", stroke.colour},
                          {"stroke-width", c >= 2 ? stroke.width * layout_.emphasis() : stroke.width},
                          {"stroke-dasharray", stroke.dashes},
                          {"marker-end", c >= 2 ? "url(#" + load_drawing::arrow_id(c) + ")" : "none"}},
                         tree_.name(l) + ": load " + std::to_string(load));
        }
        svg_.close();
    }

    void draw_switches(int level) {
        const double size = layout_.font(level);
        const bool upright = layout_.upright(level);
        svg_.open("g", {{"class", "switches"}, {"font-size", size}, {"text-anchor", "middle"}});
        for (node_type subtree = 0; subtree < tree_.subtrees(level); ++subtree)
            for (link_index plane = 0; plane < tree_.planes(level); ++plane) {
                const fat_tree::vertex v{.level = level, .subtree = subtree, .plane = plane};
                const fat_tree_layout::box b = layout_.box_of(v);
                const std::size_t c = load_class_of(busiest_at(v));
                svg_.element("rect", {{"x", b.x - b.width / 2},
                                      {"y", b.y - b.height / 2},
                                      {"width", b.width},
                                      {"height", b.height},
                                      {"rx", 3},
                                      {"fill", colours::paper},
                                      {"stroke", c >= 2 ? stroke_of(c).colour : "#7b8794"},
                                      {"stroke-width", c >= 2 ? 2.4 * layout_.emphasis() : 1.0}});
                const std::string turn =
                    upright ? "rotate(-90 " + svg_number(b.x) + " " + svg_number(b.y) + ")" : "rotate(0)";
                svg_.element("text",
                             {{"class", "switch"}, {"x", b.x}, {"y", b.y + 0.36 * size}, {"transform", turn}},
                             tree_.name(v).substr(std::string_view("switch ").size()));
            }
        svg_.close();
    }

    /// The largest load that comes to a switch or leaves it.
    std::int64_t busiest_at(const fat_tree::vertex& v) const {
        std::int64_t most = 0;
        const auto look = [&](int level, node_type subtree, link_index plane) {
            for (const link_index l :
                 {tree_.up_link(level, subtree, plane), tree_.down_link(level, subtree, plane)})
                most = std::max(most, loads_[static_cast<std::size_t>(l)]);
        };
        for (std::int32_t child = 0; child < tree_.children(v.level); ++child)
            look(v.level - 1, v.subtree * tree_.children(v.level) + child, v.plane);
        if (v.level < tree_.levels())
            for (std::int32_t port = 0; port < tree_.parents(v.level + 1); ++port)
                look(v.level, v.subtree, v.plane + port * tree_.planes(v.level));
        return most;
    }

    void draw_nodes() {
        const double size = 11;
        const bool moved = ranks_differ_from_nodes();
        // Where not all numbers find room, those of the first nodes of subtrees large enough.
        const double widest = 0.68 * size * static_cast<double>(std::to_string(tree_.nodes() - 1).size()) + 3;
        int level = 0;
        while (level < tree_.levels() && tree_.subtree_size(level) * layout_.pitch(0) < widest) ++level;
        for (node_type n = 0; n < tree_.nodes(); ++n) {
            const fat_tree_layout::box b = layout_.box_of({.level = 0, .subtree = n, .plane = 0});
            const rank_type rank = at_.rank_at(n);
            const std::string number = std::to_string(n);
            const std::string rank_text = rank == no_rank ? "none" : std::to_string(rank);
            sheet_.draw_node(b.x, b.y, rank != no_rank ? b.width / 2 : std::max(5.0, b.width / 2),
                             rank != no_rank, "node " + number + ", rank " + rank_text);
            if (n % tree_.subtree_size(level) != 0) continue;
            sheet_.text(b.x, node_line(), size, number, "middle", "normal",
                        rank == no_rank ? colours::quiet : colours::ink);
            if (moved && rank != no_rank)
                sheet_.text(b.x, rank_line(), size, rank_text, "middle", "normal", colours::quiet);
        }
        const double margin = layout_.left() - 10;
        sheet_.text(margin, node_line(), 11 * layout_.scale(), "node", "end");
        if (moved)
            sheet_.text(margin, rank_line(), 11 * layout_.scale(), "rank", "end", "normal", colours::quiet);
    }
    double node_line() const { return layout_.bottom() + 16 * layout_.scale(); }
    double rank_line() const { return layout_.bottom() + 34 * layout_.scale(); }

    bool ranks_differ_from_nodes() const {
        for (rank_type r = 0; r < at_.ranks(); ++r)
            if (at_.node_of(r) != r) return true;
        return false;
    }

    /// Left of each level of links, the largest load up and down.
    void draw_margin() {
        const double s = layout_.scale();
        for (int l = 0; l < tree_.levels(); ++l) {
            const fat_tree_layout::box low = layout_.box_of({.level = l, .subtree = 0, .plane = 0});
            const fat_tree_layout::box high = layout_.box_of({.level = l + 1, .subtree = 0, .plane = 0});
            const double y = (low.y - low.height / 2 + high.y + high.height / 2) / 2;
            const link_index up = tree_.up_link(l, 0, 0);
            const link_index down = tree_.down_link(l, 0, 0);
            draw_largest("up", up, up + tree_.links_above(l), y - 5 * s);
            draw_largest("down", down, down + tree_.links_above(l), y + 13 * s);
        }
    }
    void draw_largest(std::string_view direction, link_index first, link_index end, double y) {
        const double s = layout_.scale();
        const std::int64_t largest = *std::max_element(loads_.begin() + first, loads_.begin() + end);
        const std::size_t c = load_class_of(largest);
        sheet_.text(24 * s, y, 13 * s, std::string(direction) + " " + std::to_string(largest), "start",
                    c >= 2 ? "bold" : "normal", c >= 2 ? colours::ink : colours::quiet);
    }

    const fat_tree& tree_;
    const placement& at_;
    std::vector<std::int64_t> loads_; // of each link
    fat_tree_layout layout_;
    svg_writer svg_;
    load_drawing sheet_;
};

TUTTI_BODY std::string fat_tree_picture(const fat_tree& tree, const placement& at,
                                        std::vector<std::int64_t> loads, const picture_heading& heading,
                                        const std::vector<message_way>& ways) {
    return fat_tree_drawing(tree, at, std::move(loads), heading, ways).finish();
}
} // namespace detail
#endif

} // namespace tutti
