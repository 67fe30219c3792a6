// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/topology/dragonfly.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::dragonfly;
using tutti::dragonfly_shape;
using tutti::link_index;
using tutti::node_type;

static_assert(tutti::network<dragonfly>);

std::vector<link_index> route_of(const dragonfly& d, node_type from, node_type to) {
    std::vector<link_index> links;
    d.route(from, to, [&](link_index l) { links.push_back(l); });
    return links;
}

/// The two ends of a link, "5" for a node and "<0,1>" for a router, as its name says.
std::pair<std::string, std::string> ends_of(const std::string& name) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < name.size(); ++at)
        if (name[at] == '<')
            found.push_back(name.substr(at, name.find('>', at) + 1 - at));
        else if (name.compare(at, 5, "node ") == 0)
            found.push_back(name.substr(at + 5, name.find(' ', at + 5) - at - 5));
    REQUIRE(found.size() == 2);
    return {found[0], found[1]};
}

bool is_global(const std::string& name) { return name.compare(0, 6, "global") == 0; }

/// Router hops by way of at most one global link, over all links that there are: what minimal routing takes
/// between groups. Breadth-first over (router, whether a global link was used).
std::vector<int> minimal_from(const dragonfly& d, node_type start, node_type routers_per_group) {
    const auto number_of = [&](const std::string& router) {
        const std::size_t comma = router.find(',');
        return std::stoi(router.substr(1)) * routers_per_group + std::stoi(router.substr(comma + 1));
    };
    struct edge {
        int from, to, global;
    };
    std::vector<edge> edges;
    for (link_index l = 2 * link_index{d.nodes()}; l < d.links(); ++l) {
        const auto [from, to] = ends_of(d.name(l));
        edges.push_back({number_of(from), number_of(to), is_global(d.name(l)) ? 1 : 0});
    }
    std::vector<int> state(2 * static_cast<std::size_t>(d.routers()), -1);
    state[2 * static_cast<std::size_t>(start)] = 0;
    for (int hops = 0; hops < 4; ++hops)
        for (const edge& e : edges)
            for (int used = 0; used + e.global <= 1; ++used) {
                int& there = state[static_cast<std::size_t>(2 * e.to + used + e.global)];
                if (state[static_cast<std::size_t>(2 * e.from + used)] == hops && there < 0) there = hops + 1;
            }
    std::vector<int> distance;
    for (std::size_t r = 0; r < state.size(); r += 2) {
        const int inside = state[r];
        const int across = state[r + 1];
        distance.push_back(inside >= 0 && (across < 0 || inside < across) ? inside : across);
    }
    return distance;
}

struct sample {
    dragonfly_shape shape;
};

} // namespace

TEST_CASE("routes of a dragonfly are connected and minimal", "[topology][dragonfly]") {
    const sample s = GENERATE(values<sample>({
        {{.routers = 1, .nodes = 1, .globals = 1}}, // two groups of one router
        {{.routers = 4, .nodes = 2, .globals = 1}},
        {{.routers = 4, .nodes = 2, .globals = 2}},
        {{.routers = 3, .nodes = 1, .globals = 2, .groups = 4}}, // two links for each pair
        {{.routers = 4, .nodes = 2, .globals = 2, .groups = 2}}, // eight
        {{.routers = 4, .nodes = 1, .globals = 1, .groups = 4}}, // one, a port spare
        {{.routers = 5, .nodes = 3, .globals = 2, .groups = 1}},
    }));
    const dragonfly d(s.shape);
    CAPTURE(s.shape.routers, s.shape.nodes, s.shape.globals, d.groups());
    for (node_type from = 0; from < d.nodes(); ++from) {
        const std::vector<int> minimal = minimal_from(d, d.router_of(from), s.shape.routers);
        for (node_type to = 0; to < d.nodes(); ++to) {
            CAPTURE(from, to);
            std::string here = std::to_string(from);
            const std::vector<link_index> way = route_of(d, from, to);
            bool connected = true;
            int globals = 0;
            for (const link_index l : way) {
                REQUIRE(l >= 0);
                REQUIRE(l < d.links());
                const auto [start, end] = ends_of(d.name(l));
                connected = connected && start == here;
                here = end;
                globals += is_global(d.name(l)) ? 1 : 0;
            }
            CHECK(connected);
            CHECK(here == std::to_string(to));
            CHECK(globals <= 1);
            const int between = minimal[static_cast<std::size_t>(d.router_of(to))];
            CHECK(static_cast<int>(way.size()) == (from == to ? 0 : between + 2));
            CHECK(d.hops(from, to) == static_cast<int>(way.size()));
        }
    }
}

TEST_CASE("every link of a dragonfly has its own name, and every global link a way back",
          "[topology][dragonfly]") {
    const dragonfly d({.routers = 3, .nodes = 2, .globals = 2, .groups = 4});
    CHECK(d.links() == 2 * 24 + 12 * 2 + 4 * 3 * 2); // nodes, local, global
    CHECK(d.links_per_pair() == 2);
    std::set<std::string> names;
    for (link_index l = 0; l < d.links(); ++l) names.insert(d.name(l));
    CHECK(names.size() == static_cast<std::size_t>(d.links()));
    const std::string arrow = " to ";
    for (const std::string& name : names) {
        if (!is_global(name)) continue;
        const std::string head = "global link of router ";
        const std::size_t cut = name.find(arrow);
        CHECK(names.count(head + name.substr(cut + arrow.size()) + arrow
                          + name.substr(head.size(), cut - head.size()))
              == 1);
    }
    CHECK(d.name(d.from_node(5)) == "node 5 to router <0,2>");
    CHECK(d.name(d.to_node(6)) == "router <1,0> to node 6");
    CHECK(d.name(d.local(2, 1)) == "local link of router <0,2> to <0,1>");
}

TEST_CASE("global links lie in the absolute arrangement", "[topology][dragonfly]") {
    const dragonfly d({.routers = 4, .nodes = 1, .globals = 1});
    REQUIRE(d.groups() == 5);
    CHECK(d.name(d.global(3, 2)) == "global link of router <3,2> port 0 to <2,2> port 0");
    CHECK(d.name(d.global(0, 4)) == "global link of router <0,3> port 0 to <4,0> port 0");
}

TEST_CASE("a shift by a whole group sends all of a group over one global link", "[topology][dragonfly]") {
    const dragonfly d({.routers = 4, .nodes = 2, .globals = 2});
    const node_type in_group = 8;
    REQUIRE(d.nodes() == 9 * in_group);
    for (node_type groups = 1; groups < d.groups(); ++groups) {
        std::vector<int> loads(static_cast<std::size_t>(d.links()));
        for (node_type n = 0; n < d.nodes(); ++n)
            d.route(n, (n + groups * in_group) % d.nodes(),
                    [&](link_index l) { ++loads[static_cast<std::size_t>(l)]; });
        CHECK(*std::max_element(loads.begin(), loads.end()) == in_group);
        CHECK(std::count(loads.begin(), loads.end(), in_group) == d.groups());
    }
}

TEST_CASE("with many links between two groups every router uses its own", "[topology][dragonfly]") {
    // Between two groups there are eight links, two at each router: nobody has to go another way round.
    const dragonfly d({.routers = 4, .nodes = 2, .globals = 2, .groups = 2});
    REQUIRE(d.links_per_pair() == 8);
    std::vector<int> loads(static_cast<std::size_t>(d.links()));
    for (node_type n = 0; n < 16; ++n)
        d.route(n, (n + 8) % 16, [&](link_index l) { ++loads[static_cast<std::size_t>(l)]; });
    CHECK(*std::max_element(loads.begin(), loads.end()) == 2); // both nodes of a router take the same
}

TEST_CASE("a dragonfly that is none is refused", "[topology][dragonfly]") {
    constexpr node_type most = std::numeric_limits<node_type>::max();
    struct refused {
        dragonfly_shape shape;
        std::string argument, value;
    };
    const refused r = GENERATE(values<refused>({
        {{.routers = 0, .nodes = 1, .globals = 1}, "routers per group", "0"},
        {{.routers = 4, .nodes = 0, .globals = 1}, "nodes per router", "0"},
        {{.routers = 4, .nodes = 1, .globals = -2}, "global links per router", "-2"},
        {{.routers = 4, .nodes = 1, .globals = 1, .groups = 6}, "groups of a dragonfly", "6"},
        {{.routers = 4, .nodes = 1, .globals = 1, .groups = -1}, "groups of a dragonfly", "-1"},
        {{.routers = 4096, .nodes = 1024, .globals = 4096}, "groups of a dragonfly", "16777217"},
        {{.routers = most, .nodes = most, .globals = most}, "groups of a dragonfly", "4611686014132420610"},
    }));
    try {
        (void)dragonfly(r.shape);
        FAIL("not refused");
    } catch (const tutti::argument_error& e) {
        CHECK(e.argument() == r.argument);
        CHECK(e.value() == r.value);
    }
}
