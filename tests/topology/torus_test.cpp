// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/topology/torus.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::link_index;
using tutti::node_type;
using tutti::torus;

static_assert(tutti::network<torus>);

std::vector<link_index> route_of(const torus& t, node_type from, node_type to) {
    std::vector<link_index> links;
    t.route(from, to, [&](link_index l) { links.push_back(l); });
    return links;
}

/// "(1,0,2)", worked out apart from the class.
std::string coordinates(const std::vector<node_type>& extents, node_type node) {
    std::string text;
    for (const node_type n : extents) {
        text += (text.empty() ? "(" : ",") + std::to_string(node % n);
        node /= n;
    }
    return text + ")";
}

/// The nodes that a link connects, as its name says.
std::string start_of(const std::string& name) { return name.substr(0, name.find(' ')); }
std::string end_of(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

/// Distances from node 0 over all links that there are, by breadth-first search; the network is symmetric.
std::vector<int> distances_from_0(const torus& t) {
    const auto at = [](node_type n) { return static_cast<std::size_t>(n); };
    std::vector<std::vector<node_type>> next(at(t.nodes()));
    std::vector<std::string> names;
    std::vector<node_type> extents;
    for (int d = 0; d < t.dimensions(); ++d) extents.push_back(t.extent(d));
    for (node_type n = 0; n < t.nodes(); ++n) names.push_back(coordinates(extents, n));
    const auto node_named = [&](const std::string& name) {
        return static_cast<node_type>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    for (link_index l = 0; l < t.links(); ++l) {
        const std::string name = t.name(l);
        next[at(node_named(start_of(name)))].push_back(node_named(end_of(name)));
    }
    std::vector<int> distance(at(t.nodes()), -1);
    std::vector<node_type> queue{0};
    distance[0] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const node_type n : next[at(queue[i])])
            if (distance[at(n)] < 0) {
                distance[at(n)] = distance[at(queue[i])] + 1;
                queue.push_back(n);
            }
    return distance;
}

/// Largest load when every node sends to the node that `shifted` gives.
template <class F>
int max_load(const torus& t, F&& shifted) {
    std::vector<int> loads(static_cast<std::size_t>(t.links()));
    int most = 0;
    for (node_type n = 0; n < t.nodes(); ++n)
        t.route(n, shifted(n),
                [&](link_index l) { most = std::max(most, ++loads[static_cast<std::size_t>(l)]); });
    return most;
}

} // namespace

TEST_CASE("routes of a torus are connected, minimal, and end where they should", "[topology][torus]") {
    const auto extents = GENERATE(values<std::vector<node_type>>(
        {{1}, {2}, {3}, {7}, {8}, {4, 4}, {3, 1, 5}, {1, 1}, {2, 3, 4}, {2, 2, 2, 2}, {5, 1, 2, 1}}));
    const torus t(extents);
    const std::vector<int> distance = distances_from_0(t);
    for (node_type from = 0; from < t.nodes(); ++from)
        for (node_type to = 0; to < t.nodes(); ++to) {
            CAPTURE(from, to);
            std::string here = coordinates(extents, from);
            const std::vector<link_index> way = route_of(t, from, to);
            bool connected = true;
            for (const link_index l : way) {
                REQUIRE(l >= 0);
                REQUIRE(l < t.links());
                connected = connected && start_of(t.name(l)) == here;
                here = end_of(t.name(l));
            }
            CHECK(connected);
            CHECK(here == coordinates(extents, to));
            CHECK(static_cast<int>(way.size()) == t.hops(from, to));
            if (from == 0) CHECK(t.hops(from, to) == distance[static_cast<std::size_t>(to)]);
        }
}

TEST_CASE("every link of a torus has its own name", "[topology][torus]") {
    const torus t({4, 1, 2, 3});
    CHECK(t.links() == 24 * (2 + 0 + 1 + 2));
    std::set<std::string> names;
    for (link_index l = 0; l < t.links(); ++l) names.insert(t.name(l));
    CHECK(names.size() == static_cast<std::size_t>(t.links()));

    const torus flat({4, 3});
    CHECK(flat.name(flat.up(3, 0)) == "(3,0) up dimension 0 to (0,0)");
    CHECK(flat.name(flat.down(3, 1)) == "(3,0) down dimension 1 to (3,2)");
}

TEST_CASE("dimensions are corrected in order, half way round upwards", "[topology][torus]") {
    const torus ring({5});
    CHECK(route_of(ring, 4, 1) == std::vector<link_index>{ring.up(4, 0), ring.up(0, 0)});
    CHECK(route_of(ring, 1, 4) == std::vector<link_index>{ring.down(1, 0), ring.down(0, 0)});
    const torus even({4});
    CHECK(route_of(even, 3, 1) == std::vector<link_index>{even.up(3, 0), even.up(0, 0)});
    CHECK(route_of(even, 1, 3) == std::vector<link_index>{even.up(1, 0), even.up(2, 0)});
    const torus flat({4, 4}); // (0,0) to (3,1): node 7
    CHECK(route_of(flat, 0, 7) == std::vector<link_index>{flat.down(0, 0), flat.up(3, 1)});
}

TEST_CASE("a shift round a ring loads its links with the shorter distance", "[topology][torus]") {
    for (const node_type p : {2, 3, 4, 5, 8, 9, 16})
        for (node_type d = 1; d < p; ++d) {
            CAPTURE(p, d);
            CHECK(max_load(torus({p}), [&](node_type n) { return (n + d) % p; }) == std::min(d, p - d));
        }
}

TEST_CASE("a shift of whole rows loads a torus as a ring of rows", "[topology][torus]") {
    const torus t({4, 6});
    for (node_type rows = 1; rows < 6; ++rows)
        CHECK(max_load(t, [&](node_type n) { return (n + 4 * rows) % 24; }) == std::min(rows, 6 - rows));
    // Across the end of a row the message for the next row takes one more link, of its own.
    CHECK(max_load(t, [](node_type n) { return (n + 1) % 24; }) == 1);
}

TEST_CASE("a torus that is none is refused", "[topology][torus]") {
    CHECK_THROWS_WITH(torus({}), "tutti: dimensions of a torus is 0; allowed: at least 1");
    CHECK_THROWS_WITH(torus({-1}), "tutti: dimension 0 of a torus is -1; allowed: at least 1");
    CHECK_THROWS_WITH(torus({65536, 32768}), "tutti: dimension 1 of a torus is 32768; allowed: such that the "
                                             "nodes can be numbered in 32 bits");
    CHECK(torus({65536, 32767}).nodes() == 65536 * 32767); // the most that fit
    try {
        (void)torus({4, 0});
    } catch (const tutti::argument_error& e) {
        CHECK(e.argument() == "dimension 1 of a torus");
        CHECK(e.value() == "0");
        CHECK(e.allowed() == "at least 1");
    }
}
