// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/topology/dragonfly.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/network.hpp>
#include <tutti/topology/torus.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <tutti/render/fat_tree_layout.hpp>
#include <tutti/render/svg.hpp>
#endif

namespace tutti {

/// Where the parts of a network lie on a sheet, in pixels: what pictures of loads and pages draw from.
struct network_plan {
    /// A switch.
    struct box {
        double x,             ///< of its middle
            y,                ///< of its middle
            width,            ///< from left to right
            height;           ///< from top to bottom
        std::string label{};  ///< words in the middle of it
        bool upright = false; ///< they run from below to above
        double font = 9;      ///< height of these words
    };
    /// A node, and the place of the words beside it.
    struct disc {
        double x,       ///< of its middle
            y,          ///< of its middle
            radius;     ///< to the middle of the circle line
        double label_x, ///< of the middle of the words
            label_y;    ///< of the line that they stand on
    };

    double width = 0;                 ///< of the sheet
    double height = 0;                ///< of the sheet
    std::vector<box> switches{};      ///< in the order in which they are drawn
    std::vector<disc> nodes{};        ///< by number
    node_type every = 1;              ///< node has room for its number
    std::vector<std::string> links{}; ///< by number, each as the data of an SVG path that runs with the link
    std::vector<std::string> names{}; ///< of the links
};

/// Roots above, nodes below, as in fat_tree_svg().
network_plan plan_of(const routed_fat_tree& on);

/// Dimension 0 to the right, 1 downwards, 2 into the depth; further ones put what there is side by side. What
/// goes round from the last node to the first leaves the sheet on one side and comes in on the other.
/// Example with 5 nodes in a ring: a row; the link up from node 4 is a stub right of it and one left of 0.
network_plan plan_of(const torus& on);

/// Groups round a circle, nodes outside, global links across.
network_plan plan_of(const dragonfly& on);

/// What the links of a network are called, by link.
template <network N>
std::vector<std::string> link_names(const N& on) {
    std::vector<std::string> names;
    for (link_index l = 0; l < on.links(); ++l) names.push_back(on.name(l));
    return names;
}

#if TUTTI_BODIES
namespace detail {
struct point {
    double x, y;

    friend point operator+(point a, point b) { return {a.x + b.x, a.y + b.y}; }
    friend point operator-(point a, point b) { return {a.x - b.x, a.y - b.y}; }
    friend point operator*(double f, point a) { return {f * a.x, f * a.y}; }
};

/// " L3.5,7"
inline std::string to(std::string_view command, point p) {
    std::string text(command);
    return text.append(svg_number(p.x)).append(",").append(svg_number(p.y));
}

/// From `a` to `b` but for the discs round them, and a little to the left of the way: who comes the other way
/// does not meet it.
inline std::string line_of(point a, point b, double gap_a, double gap_b) {
    constexpr double aside = 2;
    const point along = b - a;
    const double length = std::max(1.0, std::hypot(along.x, along.y));
    const point unit = (1 / length) * along;
    const point left{aside * unit.y, -aside * unit.x};
    return to("M", a + gap_a * unit + left).append(to(" L", b - gap_b * unit + left));
}

} // namespace detail

TUTTI_BODY network_plan plan_of(const routed_fat_tree& on) {
    using detail::fat_tree_layout;
    using detail::point;
    const fat_tree& tree = on.tree();
    const fat_tree_layout layout(tree, 0, {.widest = 620, .least = 0});
    const point shift{layout.left() - 12, layout.top() - 12}; // whoever draws it writes the heading
    const auto placed = [&](const fat_tree::vertex& v) {
        fat_tree_layout::box b = layout.box_of(v);
        b.x -= shift.x;
        b.y -= shift.y;
        return b;
    };
    network_plan plan;
    plan.width = layout.width() - shift.x;
    plan.height = layout.bottom() - shift.y + 24 * layout.scale();
    for (int l = tree.levels(); l > 0; --l)
        for (node_type subtree = 0; subtree < tree.subtrees(l); ++subtree)
            for (link_index plane = 0; plane < tree.planes(l); ++plane) {
                const fat_tree::vertex v{.level = l, .subtree = subtree, .plane = plane};
                const fat_tree_layout::box b = placed(v);
                plan.switches.push_back({b.x, b.y, b.width, b.height,
                                         tree.name(v).substr(std::string_view("switch ").size()),
                                         layout.upright(l), layout.font(l)});
            }
    for (node_type n = 0; n < tree.nodes(); ++n) {
        const fat_tree_layout::box b = placed({.level = 0, .subtree = n, .plane = 0});
        plan.nodes.push_back({b.x, b.y, b.width / 2, b.x, b.y + b.width / 2 + 13});
    }
    const double digits = static_cast<double>(std::to_string(tree.nodes()).size());
    while (plan.every * layout.pitch(0) < 8 * digits) ++plan.every;
    for (link_index l = 0; l < tree.links(); ++l) {
        const fat_tree_layout::ends e = layout.ends_of(tree.parts(l));
        plan.links.push_back(
            detail::to("M", point{e.x1, e.y1} - shift).append(detail::to(" L", point{e.x2, e.y2} - shift)));
    }
    plan.names = link_names(on);
    return plan;
}

TUTTI_BODY network_plan plan_of(const torus& on) {
    using detail::point;
    constexpr double radius = 7;
    const auto extent = [&](int d) { return d < on.dimensions() ? on.extent(d) : 1; };
    // The third dimension is drawn within a cell of the other two.
    const point deep = extent(2) > 6 ? point{13, -9} : point{26, -18};
    const point depth = (extent(2) - 1) * deep;
    std::vector<point> steps{{std::max(76.0, depth.x + 34), 0}, {0, std::max(64.0, 38 - depth.y)}, deep};
    point whole{extent(0) * steps[0].x + 60, extent(1) * steps[1].y + 40};
    for (int d = 3; d < on.dimensions(); ++d) {
        const bool right = d % 2 == 1;
        steps.push_back(right ? point{whole.x, 0} : point{0, whole.y});
        (right ? whole.x : whole.y) *= extent(d);
    }
    const auto place = [&](node_type n) {
        point p{44, 44 - depth.y};
        for (int d = 0; d < on.dimensions(); ++d)
            p = p + on.coordinate(n, d) * steps[static_cast<std::size_t>(d)];
        return p;
    };

    network_plan plan;
    for (node_type n = 0; n < on.nodes(); ++n) {
        const point p = place(n);
        plan.nodes.push_back({p.x, p.y, radius, p.x + radius + 7, p.y + radius + 10});
        plan.width = std::max(plan.width, p.x + 44);
        plan.height = std::max(plan.height, p.y + 44);
    }
    plan.links.resize(static_cast<std::size_t>(on.links()));
    node_type stride = 1;
    for (int d = 0; d < on.dimensions(); stride *= on.extent(d++)) {
        const node_type n = on.extent(d);
        if (n == 1) continue;
        const point step = steps[static_cast<std::size_t>(d)];
        const double stub = std::min(0.6, 26 / std::hypot(step.x, step.y));
        for (node_type from = 0; from < on.nodes(); ++from)
            for (const int way : {1, -1}) {
                if (way < 0 && n == 2) continue;
                const node_type at = on.coordinate(from, d);
                const node_type next = (at + way + n) % n;
                const node_type to = from + (next - at) * stride;
                const bool round = n > 2 && next != at + way;
                const point out = (way * stub) * step;
                const link_index link = way > 0 ? on.up(from, d) : on.down(from, d);
                plan.links[static_cast<std::size_t>(link)] =
                    round ? detail::line_of(place(from), place(from) + out, radius, 0)
                                .append(" ")
                                .append(detail::line_of(place(to) - out, place(to), 0, radius))
                          : detail::line_of(place(from), place(to), radius, radius);
            }
    }
    plan.names = link_names(on);
    return plan;
}

TUTTI_BODY network_plan plan_of(const dragonfly& on) {
    using detail::point;
    const node_type per_router = on.nodes() / on.routers();
    const node_type per_group = on.routers() / on.groups();
    const double pitch = std::max(17.0, 48.0 / per_router); // of nodes: a router has its name
    const double gap = 1.2 * pitch;                         // between groups
    const double around = on.nodes() * pitch + on.groups() * gap;
    const double outer = std::max(150.0, around / (2 * std::numbers::pi));
    const double inner = outer - 52;
    const double middle = outer + 30;
    const auto on_circle = [&](double along, double radius) {
        const double angle = along / around * 2 * std::numbers::pi - std::numbers::pi / 2;
        return point{middle + radius * std::cos(angle), middle + radius * std::sin(angle)};
    };
    const auto along_node = [&](node_type n) {
        return (n + 0.5) * pitch + (on.group_of(on.router_of(n)) + 0.5) * gap;
    };
    const auto node = [&](node_type n) { return on_circle(along_node(n), outer); };
    const auto router = [&](node_type r) {
        const node_type first = r * per_router;
        return on_circle((along_node(first) + along_node(first + per_router - 1)) / 2, inner);
    };
    // The nearer to the middle the control point, the more the line bends; there and back bend differently.
    const auto bent = [&](point a, point b, double bend) {
        const point control = 0.5 * (a + b) + bend * (point{middle, middle} - 0.5 * (a + b));
        return detail::to("M", a).append(detail::to(" Q", control)).append(detail::to(" ", b));
    };

    network_plan plan;
    plan.width = plan.height = 2 * middle;
    for (node_type r = 0; r < on.routers(); ++r) {
        const point p = router(r);
        plan.switches.push_back({p.x, p.y, 32, 15, on.router_name(r)});
    }
    plan.links.resize(static_cast<std::size_t>(on.links()));
    const auto link = [&](link_index l) -> std::string& { return plan.links[static_cast<std::size_t>(l)]; };
    for (node_type n = 0; n < on.nodes(); ++n) {
        const point p = node(n);
        const point words = on_circle(along_node(n), outer + 17);
        plan.nodes.push_back({p.x, p.y, 6, words.x, words.y + 4});
        link(on.from_node(n)) = detail::line_of(p, router(on.router_of(n)), 6, 9);
        link(on.to_node(n)) = detail::line_of(router(on.router_of(n)), p, 9, 6);
    }
    for (node_type a = 0; a < on.routers(); ++a)
        for (node_type b = a / per_group * per_group; b < a / per_group * per_group + per_group; ++b) {
            if (a == b) continue;
            const double apart = std::abs(a - b);
            link(on.local(a, b)) =
                bent(router(a), router(b), std::min(0.9, (a < b ? 0.1 : 0.16) + 0.05 * apart));
        }
    for (node_type g = 0; g < on.groups(); ++g)
        for (node_type h = 0; h < on.groups(); ++h)
            for (node_type copy = 0; g != h && copy < on.links_per_pair(); ++copy)
                link(on.global(g, h, copy)) = bent(router(on.router_at(g, h, copy)),
                                                   router(on.router_at(h, g, copy)), g < h ? 0.5 : 0.58);
    plan.names = link_names(on);
    return plan;
}
#endif

} // namespace tutti
