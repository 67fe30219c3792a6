// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/kary_ntree.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {
using tuple = kary_ntree::tuple;

std::vector<std::pair<std::int32_t, int>> small_trees() {
    return {{1, 1}, {1, 3}, {2, 1}, {7, 1}, {2, 2}, {2, 3}, {2, 4},
            {2, 5}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {5, 2}};
}
} // namespace

TEST_CASE("fat_tree::kary has exactly the switches and edges of the definition", "[topology][kary_ntree]") {
    for (const auto& [k, n] : small_trees()) {
        CAPTURE(k, n);
        const kary_ntree defined(k, n);
        const fat_tree built = fat_tree::kary(k, n);
        REQUIRE(built.nodes() == defined.nodes());

        // Switches: the vertices of level l + 1 are those of level l, each once.
        for (int l = 0; l < n; ++l) {
            REQUIRE(built.vertices(l + 1) == defined.switches_per_level());
            std::set<std::string> found;
            for (node_type s = 0; s < built.subtrees(l + 1); ++s)
                for (link_index c = 0; c < built.planes(l + 1); ++c) {
                    const fat_tree::vertex v{l + 1, s, c};
                    const kary_ntree::switch_name name = defined.switch_of(v);
                    CHECK(name.l == l);
                    CHECK(built.name(v) == "switch " + kary_ntree::name(name));
                    found.insert(kary_ntree::name(name));
                }
            std::set<std::string> expected;
            for (node_type number = 0; number < defined.switches_per_level(); ++number)
                expected.insert(kary_ntree::name(defined.switch_at(l, number)));
            CHECK(found == expected);
        }

        // Edges: as pairs of names, those of the links and those that the predicates admit.
        using edge = std::pair<std::string, std::string>;
        std::multiset<edge> links;
        for (link_index link = 0; link < built.links() / 2; ++link) {
            const fat_tree::link_parts p = built.parts(link);
            links.insert({built.name(built.lower_end(p)), built.name(built.upper_end(p))});
        }
        std::multiset<edge> admitted;
        for (node_type v = 0; v < defined.nodes(); ++v)
            for (int l = 0; l < n; ++l)
                for (node_type s = 0; s < defined.switches_per_level(); ++s) {
                    const kary_ntree::switch_name name = defined.switch_at(l, s);
                    if (defined.edge(name, defined.node(v)))
                        admitted.insert({"node " + std::to_string(v), "switch " + kary_ntree::name(name)});
                }
        for (int l = 0; l < n; ++l)
            for (node_type s = 0; s < defined.switches_per_level(); ++s)
                for (int m = 0; m < n; ++m)
                    for (node_type t = 0; t < defined.switches_per_level(); ++t) {
                        const kary_ntree::switch_name a = defined.switch_at(l, s);
                        const kary_ntree::switch_name b = defined.switch_at(m, t);
                        if (defined.edge(a, b))
                            admitted.insert(
                                {"switch " + kary_ntree::name(a), "switch " + kary_ntree::name(b)});
                    }
        CHECK(links == admitted);
    }
}

TEST_CASE("a k-ary n-tree has n k^(n-1) switches", "[topology][kary_ntree]") {
    const kary_ntree tree(4, 3);
    CHECK(tree.nodes() == 64);
    CHECK(tree.switches_per_level() == 16);
    CHECK(tree.switches() == 48);
    CHECK(tree.k() == 4);
    CHECK(tree.n() == 3);
}

TEST_CASE("nodes are tuples of digits; switches <w_0,w_1,0> hold the nodes <w_0,w_1,i>",
          "[topology][kary_ntree]") {
    const kary_ntree tree(4, 3);
    CHECK(tree.node(37) == tuple{2, 1, 1});
    for (std::int32_t i = 0; i < 4; ++i) {
        CHECK(tree.edge({{2, 1}, 0}, tuple{2, 1, i}));
        CHECK_FALSE(tree.edge({{2, 1}, 1}, tuple{2, 1, i}));
        CHECK_FALSE(tree.edge({{1, 2}, 0}, tuple{2, 1, i}));
    }
}

TEST_CASE("the edges of the documentation: 2-ary 3-tree", "[topology][kary_ntree]") {
    const kary_ntree tree(2, 3);
    CHECK(tree.node(5) == tuple{1, 0, 1});
    CHECK(tree.edge({{1, 0}, 0}, tree.node(5)));
    CHECK(tree.edge({{1, 0}, 0}, {{1, 0}, 1}));
    CHECK(tree.edge({{1, 0}, 0}, {{1, 1}, 1}));
    CHECK_FALSE(tree.edge({{1, 0}, 0}, {{0, 0}, 1}));
    CHECK_FALSE(tree.edge({{1, 0}, 1}, {{1, 0}, 0})); // l' = l + 1, not the other way
    CHECK(tree.edge({{1, 0}, 1}, {{0, 0}, 2}));
    CHECK(tree.switch_of({2, 1, 0}) == kary_ntree::switch_name{{1, 0}, 1});
}

TEST_CASE("a k or n that is none, nodes and switches that are not there are refused",
          "[topology][kary_ntree]") {
    CHECK_THROWS_AS(kary_ntree(0, 3), argument_error);
    CHECK_THROWS_AS(kary_ntree(4, 0), argument_error);
    CHECK_THROWS_AS(kary_ntree(2, 31), argument_error);
    const kary_ntree tree(2, 3);
    CHECK_THROWS_AS(tree.node(8), argument_error);
    CHECK_THROWS_AS(tree.node(-1), argument_error);
    CHECK_THROWS_WITH(tree.switch_at(3, 0), "tutti: level is 3; allowed: 0..2");
    CHECK_THROWS_WITH(tree.switch_at(-1, 0), "tutti: level is -1; allowed: 0..2");
    CHECK_THROWS_WITH(tree.switch_at(0, 4), "tutti: number of the switch is 4; allowed: 0..3");
    CHECK_THROWS_WITH(tree.switch_at(0, -1), "tutti: number of the switch is -1; allowed: 0..3");
}
