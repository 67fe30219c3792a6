// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/network_svg.hpp>
#include <tutti/topology/link_loads.hpp>

#include "support/catch2.hpp"
#include "support/link_ends.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;

/// All ranks but the last `apart` send that far; with the ways of those that meet on the worst link.
template <network N>
struct sample {
    N on;
    placement at;
    link_loads<N> loads{on};
    std::vector<message_way> meeting{};

    sample(const N& n, const placement& where, rank_type apart) : on(n), at(where) {
        std::vector<message_way> all;
        for (rank_type r = 0; r + apart < at.ranks(); ++r) {
            all.push_back(way_of(on, at, r, r + apart));
            loads.add(at.node_of(r), at.node_of(r + apart));
        }
        const link_index worst = loads.worst(1).at(0).link;
        for (const message_way& way : all)
            if (way.takes(worst)) meeting.push_back(way);
    }
    support::xml picture() const {
        return support::read_xml(network_svg(
            plan_of(on), at, [&](link_index l) { return loads.load(l); }, {.title = "a network"}, meeting));
    }
};

template <class N>
void check(const sample<N>& s) {
    const support::xml root = s.picture();
    // Every link once, under its name and load; the load is in no other place than where it is counted.
    std::map<std::string, int> drawn;
    for (const support::xml* e : root.of_class("link")) ++drawn[e->children.at(0).text];
    for (link_index l = 0; l < s.on.links(); ++l) {
        INFO(s.on.name(l));
        CHECK(drawn[s.on.name(l) + ": load " + std::to_string(s.loads.load(l))] == 1);
    }
    CHECK(root.of_class("link").size() == static_cast<std::size_t>(s.on.links()));
    CHECK(root.of_class("node").size() == static_cast<std::size_t>(s.at.ranks()));
    // The messages that meet, with whole ways: one path, all of its links behind each other.
    const auto ways = root.of_class("way");
    REQUIRE(ways.size() == s.meeting.size());
    CHECK(static_cast<std::int64_t>(ways.size()) == s.loads.max());
    const network_plan plan = plan_of(s.on);
    std::size_t named = 0;
    std::string listed;
    for (const support::xml& e : root.of_class("meeting").at(0)->children) listed += e.text + ";";
    for (std::size_t k = 0; k < ways.size(); ++k) {
        std::string whole;
        for (const link_index l : s.meeting[k].links)
            whole += (whole.empty() ? "" : " ") + plan.links.at(static_cast<std::size_t>(l));
        CHECK((*ways[k])["d"] == whole);
        named += listed.find(s.meeting[k].text() + ";") != std::string::npos;
    }
    // All, or as many as have room, and how many more.
    CHECK(named >= std::min<std::size_t>(ways.size(), 6));
    if (named < ways.size())
        CHECK(listed.find("and " + std::to_string(ways.size() - named) + " more;") != std::string::npos);
}

/// Where a path begins and ends.
std::pair<std::pair<double, double>, std::pair<double, double>> ends(const std::string& path) {
    const auto read = [&](std::size_t at) {
        std::size_t used = 0;
        const double x = std::stod(path.substr(at), &used);
        return std::pair(x, std::stod(path.substr(at + used + 1)));
    };
    return {read(1), read(path.find_last_of(" L") + 1)};
}

} // namespace

TEST_CASE("a picture of a torus or dragonfly has all links with their loads and the ways of who meets",
          "[render]") {
    check(sample(torus({8}), placement::compact(8), 3));
    check(sample(torus({4, 4}), placement::compact(16, {5}), 2));
    check(sample(torus({4, 2, 3}), placement::compact(24), 6));
    check(sample(torus({3, 3, 2, 2, 2}), placement::compact(72), 9));
    check(sample(dragonfly({.routers = 4, .nodes = 2, .globals = 1}), placement::compact(40), 8));
    check(sample(dragonfly({.routers = 2, .nodes = 1, .globals = 2, .groups = 3}), placement::compact(6, {1}),
                 2));
}

TEST_CASE("links of a torus run from node to node, those round it leave the sheet and come in again",
          "[render]") {
    const torus on({5, 3});
    const network_plan plan = plan_of(on);
    const auto centre = [&](node_type n) {
        const network_plan::disc& d = plan.nodes.at(static_cast<std::size_t>(n));
        return std::pair(d.x, d.y);
    };
    const auto away = [&](std::pair<double, double> p, node_type n) {
        return std::hypot(p.first - centre(n).first, p.second - centre(n).second);
    };
    const auto near = [&](std::pair<double, double> p, node_type n) {
        return away(p, n) < plan.nodes.at(static_cast<std::size_t>(n)).radius + 3;
    };
    for (node_type n = 0; n < on.nodes(); ++n)
        for (int d = 0; d < 2; ++d)
            for (const bool up : {true, false}) {
                const link_index l = up ? on.up(n, d) : on.down(n, d);
                INFO(on.name(l));
                const node_type at = on.coordinate(n, d);
                const node_type next = (at + (up ? 1 : on.extent(d) - 1)) % on.extent(d);
                const node_type to = n + (next - at) * (d == 0 ? 1 : 5);
                const std::string& path = plan.links.at(static_cast<std::size_t>(l));
                CHECK(near(ends(path).first, n));
                CHECK(near(ends(path).second, to));
                const bool round = next != at + (up ? 1 : -1);
                CHECK((path.rfind('M') != 0) == round);                              // in two pieces
                if (!round) CHECK(away(ends(path).second, n) < away(centre(to), n)); // ends before the disc
            }
}

TEST_CASE(
    "the plan of a fat-tree has roots above, and links from the part that they leave to the one they enter",
    "[render]") {
    for (const fat_tree& tree : {fat_tree::kary(4, 2), fat_tree::kary(2, 3), fat_tree({3, 4}, {2, 2})}) {
        const routed_fat_tree on(tree);
        const network_plan plan = plan_of(on);
        CHECK(plan.names == link_names(on));
        std::map<std::string, network_plan::box> parts;
        std::vector<double> rows; // of switches, from the roots down
        for (const network_plan::box& b : plan.switches) {
            parts.emplace("switch " + b.label, b);
            if (rows.empty() || b.y != rows.back()) rows.push_back(b.y);
        }
        CHECK(rows.size() == static_cast<std::size_t>(tree.levels()));
        CHECK(std::is_sorted(rows.begin(), rows.end()));
        for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
            const network_plan::disc& d = plan.nodes[n];
            CHECK(d.y > rows.back());
            if (n > 0) CHECK(d.x > plan.nodes[n - 1].x);
            CHECK(d.label_x == d.x);
            CHECK(d.label_y > d.y + d.radius);
            CHECK(d.label_y < plan.height);
            parts.emplace("node " + std::to_string(n),
                          network_plan::box{d.x, d.y, 2 * d.radius, 2 * d.radius});
        }
        for (std::size_t l = 0; l < plan.links.size(); ++l) {
            const std::string& name = plan.names[l];
            INFO(name);
            const auto [from, to] = support::ends_of_link(name);
            const network_plan::box& left = parts.at(from);
            const network_plan::box& entered = parts.at(to);
            const auto [begin, end] = ends(plan.links[l]);
            const int side = name.starts_with("up ") ? 1 : -1; // upwards from the upper edge to the lower one
            CHECK(begin.second == Approx(left.y - side * left.height / 2).margin(0.06));
            CHECK(end.second == Approx(entered.y + side * entered.height / 2).margin(0.06));
            CHECK(std::abs(begin.first - left.x) < left.width / 2);
            CHECK(std::abs(end.first - entered.x) < entered.width / 2);
        }
    }
}

TEST_CASE("the plan of two nodes and a switch, by hand", "[render]") {
    // 46 pixels for a node, 12 free on the left, 24 on the right; 12 above, and 56 + 0.19 * 92 between the
    // rows.
    const network_plan plan = plan_of(routed_fat_tree(fat_tree({2}, {1})));
    CHECK(plan.width == 12 + 2 * 46 + 24);
    REQUIRE(plan.nodes.size() == 2);
    CHECK(plan.nodes[0].x == 12 + 23);
    CHECK(plan.nodes[1].x == 12 + 46 + 23);
    CHECK(plan.nodes[1].radius == 8);
    REQUIRE(plan.switches.size() == 1);
    CHECK(plan.switches[0].x == 12 + 46);
    CHECK(plan.switches[0].y == 12 + 11);
    CHECK(plan.switches[0].height == 22);
    CHECK(plan.nodes[0].y == Approx(12 + 22 + 56 + 0.19 * 92 + 8));
    CHECK(plan.nodes[0].label_y == Approx(plan.nodes[0].y + 8 + 13));
    CHECK(plan.height == Approx(plan.nodes[0].y + 8 + 24));
    CHECK(plan.every == 1);
}

TEST_CASE("nodes of every plan lie apart, on its sheet", "[render]") {
    std::vector<network_plan> plans;
    for (const std::vector<node_type>& extents : std::vector<std::vector<node_type>>{
             {1}, {7}, {4, 4}, {2, 3, 9}, {4, 4, 4}, {2, 2, 2, 3}, {2, 3, 2, 2, 3}})
        plans.push_back(plan_of(torus(extents)));
    for (const dragonfly_shape shape :
         {dragonfly_shape{}, dragonfly_shape{.routers = 4, .nodes = 2, .globals = 2},
          dragonfly_shape{.routers = 2, .nodes = 5, .globals = 1}})
        plans.push_back(plan_of(dragonfly(shape)));
    plans.push_back(plan_of(routed_fat_tree(fat_tree::kary(4, 2))));
    for (const network_plan& plan : plans) {
        INFO(plan.nodes.size() << " nodes, " << plan.links.size() << " links");
        bool inside = true;
        bool apart = true;
        for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
            const network_plan::disc& a = plan.nodes[n];
            inside = inside && a.x - a.radius >= 0 && a.y - a.radius >= 0 && a.x + a.radius <= plan.width
                     && a.y + a.radius <= plan.height;
            for (std::size_t m = 0; m < n; ++m)
                apart = apart
                        && std::hypot(a.x - plan.nodes[m].x, a.y - plan.nodes[m].y)
                               >= a.radius + plan.nodes[m].radius;
        }
        CHECK(inside);
        CHECK(apart);
        CHECK(plan.names.size() == plan.links.size());
        for (const std::string& path : plan.links) CHECK(path.substr(0, 1) == "M");
    }
}

TEST_CASE("a placement on other nodes than those of the plan is refused", "[render]") {
    CHECK_THROWS_AS(network_svg(plan_of(torus({4})), placement::compact(5), [](link_index) { return 0; }, {}),
                    argument_error);
}
