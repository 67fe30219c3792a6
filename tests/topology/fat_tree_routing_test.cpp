// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/fat_tree_routing.hpp>

#include <string>
#include <vector>

#include <tutti/core/math.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::vector<fat_tree> trees_of_all_kinds() {
    return {fat_tree::kary(1, 2),           fat_tree::kary(5, 1),          fat_tree::kary(2, 4),
            fat_tree::kary(3, 3),           fat_tree::kary(4, 3),          fat_tree({4, 4}, {1, 2}),
            fat_tree({4, 3, 2}, {2, 1, 3}), fat_tree({6, 1, 2}, {1, 3, 5})};
}

std::vector<link_index> route_of(const routed_fat_tree& net, node_type source, node_type target) {
    std::vector<link_index> links;
    net.route(source, target, [&links](link_index link) { links.push_back(link); });
    return links;
}

std::vector<std::string> switches_on_the_way(const routed_fat_tree& net, node_type source, node_type target) {
    std::vector<std::string> names;
    for (const link_index link : route_of(net, source, target)) {
        const fat_tree::link_parts p = net.tree().parts(link);
        const fat_tree::vertex end = p.up ? net.tree().upper_end(p) : net.tree().lower_end(p);
        names.push_back(net.tree().name(end));
    }
    return names;
}

} // namespace

TEST_CASE("a route leads from the source up to the least common subtree and down to the target",
          "[topology][fat_tree]") {
    for (const fat_tree& tree : trees_of_all_kinds())
        for (const fat_tree_routing how : all_fat_tree_routings) {
            const routed_fat_tree net(tree, how);
            for (node_type s = 0; s < tree.nodes(); ++s)
                for (node_type d = 0; d < tree.nodes(); ++d) {
                    const int height = tree.height(s, d);
                    const std::vector<link_index> links = route_of(net, s, d);
                    CAPTURE(tree.nodes(), name_of(how), s, d);
                    REQUIRE(links.size() == static_cast<std::size_t>(2 * height));
                    REQUIRE(net.hops(s, d) == 2 * height);
                    fat_tree::vertex here{0, s, 0};
                    for (std::size_t i = 0; i < links.size(); ++i) {
                        const fat_tree::link_parts p = tree.parts(links[i]);
                        REQUIRE(p.up == (i < links.size() / 2));
                        REQUIRE((p.up ? tree.lower_end(p) : tree.upper_end(p)) == here);
                        here = p.up ? tree.upper_end(p) : tree.lower_end(p);
                    }
                    REQUIRE(here == fat_tree::vertex{0, d, 0});
                }
        }
}

TEST_CASE("port c_i is floor(x / (w_1..w_{i-1})) mod w_i, x being the target or the source",
          "[topology][fat_tree]") {
    for (const fat_tree& tree : trees_of_all_kinds())
        for (const fat_tree_routing how : all_fat_tree_routings) {
            const routed_fat_tree net(tree, how);
            for (node_type s = 0; s < tree.nodes(); ++s)
                for (node_type d = 0; d < tree.nodes(); ++d)
                    for (const link_index link : route_of(net, s, d)) {
                        const fat_tree::link_parts p = tree.parts(link);
                        node_type x = how == fat_tree_routing::d_mod_k ? d : s;
                        link_index plane = p.plane;
                        for (int i = 1; i <= p.level + 1; ++i) {
                            REQUIRE(plane % tree.parents(i) == x % tree.parents(i));
                            plane /= tree.parents(i);
                            x /= tree.parents(i);
                        }
                    }
        }
}

TEST_CASE("D-mod-k on a k-ary n-tree climbs through link s - s mod k^l + d mod k^l of a level",
          "[topology][fat_tree]") {
    const fat_tree tree = fat_tree::kary(3, 3);
    const routed_fat_tree net(tree, fat_tree_routing::d_mod_k);
    for (node_type s = 0; s < tree.nodes(); ++s)
        for (node_type d = 0; d < tree.nodes(); ++d) {
            const std::vector<link_index> links = route_of(net, s, d);
            for (int l = 0; l < tree.height(s, d); ++l) {
                const std::int64_t size = power(3, l);
                CHECK(links[static_cast<std::size_t>(l)] == l * 27 + s - s % size + d % size);
            }
        }
}

TEST_CASE("the routes of the documentation: 2-ary 3-tree, from node 1 to node 6", "[topology][fat_tree]") {
    CHECK(switches_on_the_way(routed_fat_tree(fat_tree::kary(2, 3)), 1, 6)
          == std::vector<std::string>{"switch <0,0,0>", "switch <0,0,1>", "switch <1,0,2>", "switch <1,0,1>",
                                      "switch <1,1,0>", "node 6"});
    CHECK(switches_on_the_way(routed_fat_tree(fat_tree::kary(2, 3), fat_tree_routing::s_mod_k), 1, 6)
          == std::vector<std::string>{"switch <0,0,0>", "switch <0,1,1>", "switch <0,1,2>", "switch <1,1,1>",
                                      "switch <1,1,0>", "node 6"});
}

TEST_CASE("the way under S-mod-k is the way back under D-mod-k", "[topology][fat_tree]") {
    for (const fat_tree& tree : trees_of_all_kinds()) {
        const routed_fat_tree by_target(tree, fat_tree_routing::d_mod_k);
        const routed_fat_tree by_source(tree, fat_tree_routing::s_mod_k);
        const link_index half = tree.links() / 2; // what is up one way is down the other
        for (node_type s = 0; s < tree.nodes(); ++s)
            for (node_type d = 0; d < tree.nodes(); ++d) {
                std::vector<link_index> back = route_of(by_target, d, s);
                std::vector<link_index> turned;
                for (auto link = back.rbegin(); link != back.rend(); ++link)
                    turned.push_back(*link < half ? *link + half : *link - half);
                REQUIRE(route_of(by_source, s, d) == turned);
            }
    }
}

TEST_CASE("copies of a routed tree route alike", "[topology][fat_tree]") {
    const routed_fat_tree* first = new routed_fat_tree(fat_tree::kary(2, 3), fat_tree_routing::s_mod_k);
    const routed_fat_tree copy = *first;
    const std::vector<link_index> expected = route_of(*first, 1, 6);
    delete first;
    CHECK(route_of(copy, 1, 6) == expected);
    CHECK(copy.routing() == fat_tree_routing::s_mod_k);
    CHECK(copy.nodes() == 8);
    CHECK(copy.links() == 48);
    CHECK(copy.name(0) == "up from node 0 to switch <0,0,0>");
}

TEST_CASE("a tree that fills the memory is refused before it does", "[topology][fat_tree]") {
    try {
        routed_fat_tree(fat_tree::kary(2, 27));
        FAIL("a table of 27 GiB was accepted");
    } catch (const argument_error& e) {
        CHECK(std::string(e.what())
              == "tutti: nodes times levels of the routed fat-tree is 3623878656; allowed: at most "
                 "268435456, for "
                 "each takes memory");
    }
}

TEST_CASE("routings have names, and are found by them", "[topology][fat_tree]") {
    for (const fat_tree_routing how : all_fat_tree_routings)
        CHECK(fat_tree_routing_named(name_of(how)) == how);
    CHECK(name_of(fat_tree_routing::d_mod_k) == "d-mod-k");
    CHECK(name_of(fat_tree_routing::s_mod_k) == "s-mod-k");
    CHECK_FALSE(fat_tree_routing_named("r-mod-k").has_value());
}
