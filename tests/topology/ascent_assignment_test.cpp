// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/ascent_assignment.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <tutti/pattern/permutation.hpp>
#include <tutti/topology/fat_tree_routing.hpp>

#include "support/catch2.hpp"
#include "support/fat_tree_lemmas.hpp"
#include "support/small_fat_trees.hpp"

using namespace tutti;
using lemmas::messages_of;
using answer = possible_ascent::answer;

namespace {

/// Load of the busiest link, counted without the library's walk along a route: from the ports themselves.
int busiest(const fat_tree& tree, const std::vector<node_message>& messages,
            const std::vector<link_index>& plane) {
    std::vector<int> load(static_cast<std::size_t>(tree.links()), 0);
    REQUIRE(plane.size() == messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        link_index ports = 0;
        link_index rest = plane[i];
        link_index weight = 1;
        for (int l = 0; messages[i].from / tree.subtree_size(l) != messages[i].to / tree.subtree_size(l);
             ++l) {
            ports += rest % tree.parents(l + 1) * weight;
            rest /= tree.parents(l + 1);
            weight *= tree.parents(l + 1);
            ++load[static_cast<std::size_t>(tree.up_link(l, messages[i].from / tree.subtree_size(l), ports))];
            ++load[static_cast<std::size_t>(tree.down_link(l, messages[i].to / tree.subtree_size(l), ports))];
        }
        REQUIRE(rest == 0);
    }
    return *std::max_element(load.begin(), load.end());
}

/// On XGFT(3; 2,3,2; 1,2,1): each shares a full pair of links with two others.
const std::vector<node_message> odd_cycle{{.from = 0, .to = 10},
                                          {.from = 1, .to = 4},
                                          {.from = 2, .to = 6},
                                          {.from = 8, .to = 7},
                                          {.from = 9, .to = 5}};

bool really_free(const fat_tree& tree, const std::vector<node_message>& messages) {
    const possible_ascent found = adaptive_possible(tree, messages);
    INFO(found.why);
    return found.free() && found.why.empty() && busiest(tree, messages, found.plane) <= 1;
}

} // namespace

TEST_CASE("a permutation of the 2-ary 2-tree, port by port", "[topology][ascent_assignment]") {
    const possible_ascent found =
        adaptive_possible(fat_tree::kary(2, 2), messages_of(permutation_table({2, 3, 1, 0}), 4));
    CHECK(found.free());
    CHECK(found.plane == std::vector<link_index>{0, 1, 0, 1});
}

TEST_CASE("full trees are rearrangeable: every permutation can go, through the ports returned",
          "[topology][ascent_assignment]") {
    std::mt19937 random(3);
    std::vector<fat_tree> trees{fat_tree({3, 4, 2}, {1, 5, 4}), fat_tree({4, 4, 4}, {2, 4, 4}),
                                fat_tree::kary(1, 3)};
    for (const lemmas::tree_shape& shape : lemmas::all_trees(256, 1))
        trees.push_back(fat_tree::kary(shape.k, shape.n));
    for (const auto& [k, n] : {std::pair{2, 10}, {4, 5}, {32, 2}, {10, 3}})
        trees.push_back(fat_tree::kary(k, n));
    for (const fat_tree& tree : trees) {
        if (tree.nodes() > 64 && tree.levels() == 1) continue; // one switch has no choice
        CAPTURE(support::name_of(tree));
        for (int i = 0; i < 4; ++i)
            REQUIRE(
                really_free(tree, messages_of(permutation_table(lemmas::random_order(tree.nodes(), random)),
                                              tree.nodes())));
    }
}

TEST_CASE("slimmed trees: possible iff trying every ascent finds one", "[topology][ascent_assignment]") {
    std::mt19937 random(4);
    int possible = 0;
    int too_many = 0;
    int in_conflict = 0;
    for (const fat_tree& tree : support::small_slimmed_trees())
        for (int i = 0; i < 300; ++i) {
            const std::vector<node_message> messages = support::some_messages(tree, random);
            const support::every_ascent tried(tree, messages);
            const possible_ascent found = adaptive_possible(tree, messages);
            CAPTURE(support::name_of(tree), i, found.why);
            REQUIRE(found.found == (tried.exists() && tried.best() <= 1 ? answer::yes : answer::no));
            REQUIRE(found.free() == found.why.empty());
            if (found.free()) {
                ++possible;
                REQUIRE(busiest(tree, messages, found.plane) <= 1);
            } else {
                ++(found.why.find("no choice of ports") == std::string::npos ? too_many : in_conflict);
            }
        }
    CAPTURE(possible, too_many, in_conflict);
    CHECK(possible > 100);
    CHECK(too_many > 100);
    CHECK(in_conflict > 5);
}

TEST_CASE("links enough for every subtree do not suffice on slimmed trees: five messages, two ports",
          "[topology][ascent_assignment]") {
    const fat_tree tree({2, 3, 2}, {1, 2, 1});
    for (int l = 0; l < tree.levels(); ++l) {
        const detail::subtree_traffic traffic(tree, odd_cycle, l);
        for (const auto& counts : {traffic.leaving, traffic.entering})
            CHECK(*std::max_element(counts.begin(), counts.end()) <= tree.planes(l + 1));
    }
    const possible_ascent found = adaptive_possible(tree, odd_cycle);
    CHECK(found.found == answer::no);
    CHECK(found.why
          == "no subtree has more messages than links, but no choice of ports avoids all conflicts");
    CHECK(support::every_ascent(tree, odd_cycle).best() == 2);
    for (std::size_t left_out = 0; left_out < odd_cycle.size(); ++left_out) {
        std::vector<node_message> four = odd_cycle;
        four.erase(four.begin() + static_cast<std::ptrdiff_t>(left_out));
        CHECK(really_free(tree, four));
    }
}

TEST_CASE("an overfull subtree is named", "[topology][ascent_assignment]") {
    const fat_tree tree({4, 4}, {1, 2});
    const auto why = [&](const std::vector<node_message>& messages) {
        const possible_ascent found = adaptive_possible(tree, messages);
        CHECK(found.found == answer::no);
        CHECK(found.plane.empty());
        return found.why;
    };
    CHECK(why(messages_of(shift{4}, 16)) == "4 messages leave nodes 0..3, over 2 links up");
    CHECK(why({{.from = 4, .to = 0}, {.from = 4, .to = 1}}) == "2 messages leave node 4, over 1 links up");
    CHECK(why({{.from = 4, .to = 15}, {.from = 0, .to = 15}})
          == "2 messages enter node 15, over 1 links down");
    CHECK(why({{.from = 0, .to = 12}, {.from = 4, .to = 13}, {.from = 8, .to = 14}})
          == "3 messages enter nodes 12..15, over 2 links down");
    CHECK(really_free(tree, messages_of(shift{2}, 16)));
}

TEST_CASE("shifts and xors on slimmed trees of 64 nodes: possible iff no subtree is overfull",
          "[topology][ascent_assignment]") {
    for (const fat_tree& tree : {fat_tree({4, 4, 4}, {1, 4, 2}), fat_tree({4, 4, 4}, {1, 2, 4}),
                                 fat_tree({4, 4, 4}, {1, 2, 2}), fat_tree({4, 4, 4}, {1, 4, 1})}) {
        int possible = 0;
        for (rank_type j = 1; j < 64; ++j)
            for (const bool by_xor : {false, true}) {
                const auto messages = by_xor ? messages_of(exclusive_or{j}, 64) : messages_of(shift{j}, 64);
                const bool fits = detail::overfull_subtree(tree, messages).empty();
                CAPTURE(support::name_of(tree), j, by_xor);
                REQUIRE(really_free(tree, messages) == fits);
                possible += fits ? 1 : 0;
            }
        CHECK(possible > 0);
        CHECK(possible < 126);
    }
}

TEST_CASE("messages from a node to itself take no link", "[topology][ascent_assignment]") {
    const std::vector<node_message> messages{
        {.from = 1, .to = 1}, {.from = 1, .to = 2}, {.from = 1, .to = 1}};
    const possible_ascent found = adaptive_possible(fat_tree::kary(2, 2), messages);
    CHECK(found.free());
    CHECK(found.plane == std::vector<link_index>{0, 0, 0});
    CHECK(adaptive_possible(fat_tree::kary(2, 2), {}).free());
}

TEST_CASE("a search that may not try gives no answer where one is needed", "[topology][ascent_assignment]") {
    const fat_tree slimmed({2, 3, 2}, {1, 2, 1});
    const possible_ascent found = adaptive_possible(slimmed, odd_cycle, 0);
    CHECK(found.found == answer::undecided);
    CHECK_FALSE(found.free());
    CHECK(found.plane.empty());
    CHECK(found.why
          == "no subtree has more messages than links, but no choice of ports was found in 0 trials");
    const std::vector<node_message> within{{.from = 1, .to = 5}};
    CHECK(adaptive_possible(fat_tree::kary(2, 3), within, 0).free()); // nothing to search for on a full tree
    CHECK_THROWS_WITH(adaptive_possible(slimmed, odd_cycle, -1), "tutti: effort is -1; allowed: at least 0");
    const std::vector<node_message> outside{{.from = 0, .to = 12}};
    CHECK_THROWS_AS(adaptive_possible(slimmed, outside), argument_error);
}

TEST_CASE("ports are found again for as many messages as had some, on slimmed trees of up to 1024 nodes",
          "[topology][ascent_assignment]") {
    std::mt19937 random(5);
    for (const fat_tree& tree : {fat_tree({4, 4, 4}, {1, 4, 2}), fat_tree({4, 4, 4}, {1, 4, 1}),
                                 fat_tree({4, 4, 4, 4}, {1, 4, 2, 2}), fat_tree({8, 8, 16}, {1, 8, 4}),
                                 fat_tree({16, 16, 4}, {1, 8, 8})})
        for (int i = 0; i < 3; ++i) {
            // Messages in any order, each if there still is a way free of others.
            const std::vector<rank_type> to = lemmas::random_order(tree.nodes(), random);
            std::vector<bool> taken(static_cast<std::size_t>(tree.links()), false);
            std::vector<node_message> messages;
            for (const rank_type from : lemmas::random_order(tree.nodes(), random)) {
                const node_type target = to[static_cast<std::size_t>(from)];
                for (link_index way = 0; way < tree.planes(tree.height(from, target)); ++way) {
                    bool open = true;
                    route_through(tree, from, target, way,
                                  [&](link_index l) { open = open && !taken[static_cast<std::size_t>(l)]; });
                    if (!open) continue;
                    route_through(tree, from, target, way,
                                  [&](link_index l) { taken[static_cast<std::size_t>(l)] = true; });
                    messages.push_back({.from = from, .to = target});
                    break;
                }
            }
            CAPTURE(support::name_of(tree), i, messages.size());
            REQUIRE(messages.size() > static_cast<std::size_t>(tree.nodes()) / 4);
            REQUIRE(really_free(tree, messages));
        }
}

TEST_CASE("the ports of D-mod-k are the target modulo the planes: route_through takes the same links",
          "[topology][ascent_assignment]") {
    for (const fat_tree& tree :
         {fat_tree::kary(2, 3), fat_tree::kary(3, 3), fat_tree({3, 4, 2}, {1, 2, 3})}) {
        const routed_fat_tree routed(tree, fat_tree_routing::d_mod_k);
        for (node_type s = 0; s < tree.nodes(); ++s)
            for (node_type d = 0; d < tree.nodes(); ++d) {
                std::vector<link_index> by_routing;
                std::vector<link_index> by_ports;
                routed.route(s, d, [&](link_index l) { by_routing.push_back(l); });
                route_through(tree, s, d, d % tree.planes(tree.height(s, d)),
                              [&](link_index l) { by_ports.push_back(l); });
                REQUIRE(by_routing == by_ports);
            }
    }
}
