// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/ascent_search.hpp>

#include <set>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;
using search = tutti::detail::ascent_search;

TEST_CASE("the search parts messages that share links, up to its level", "[topology][ascent_search]") {
    // Both switches of a pair send two messages to the other pair and one to each other.
    const fat_tree tree({3, 2, 2}, {1, 3, 2});
    const std::vector<node_message> messages{{.from = 0, .to = 6},  {.from = 1, .to = 9},
                                             {.from = 2, .to = 3},  {.from = 3, .to = 7},
                                             {.from = 4, .to = 10}, {.from = 5, .to = 0}};
    for (const int level : {1, 2}) {
        search trial(tree, messages, level);
        REQUIRE(trial.run(1000) == search::outcome::found);
        std::set<std::pair<link_index, link_index>> links; // level and number
        for (std::size_t i = 0; i < messages.size(); ++i)
            for (int l = 0; l <= level && l < tree.height(messages[i].from, messages[i].to); ++l) {
                const link_index plane = trial.plane(i) % tree.planes(l + 1);
                CAPTURE(level, i, l);
                CHECK(links.emplace(l, tree.up_link(l, tree.subtree(messages[i].from, l), plane)).second);
                CHECK(links.emplace(l, tree.down_link(l, tree.subtree(messages[i].to, l), plane)).second);
            }
    }
}

TEST_CASE("the search ends: found, impossible or out of trials", "[topology][ascent_search]") {
    // Three messages from one switch with two ports.
    const fat_tree tree({3, 2}, {1, 2});
    const std::vector<node_message> three{{.from = 0, .to = 3}, {.from = 1, .to = 4}, {.from = 2, .to = 5}};
    CHECK(search(tree, three, 1).run(1000) == search::outcome::impossible);
    const std::vector<node_message> two{{.from = 0, .to = 3}, {.from = 1, .to = 4}};
    CHECK(search(tree, two, 1).run(2) == search::outcome::found);
    CHECK(search(tree, two, 1).run(1) == search::outcome::undecided);
    CHECK(search(tree, {}, 1).run(0) == search::outcome::found);
}

TEST_CASE("ports that nobody uses are tried once, so many ports do not make an impossible case longer",
          "[topology][ascent_search]") {
    // Two messages that end at one node, which has one link: whichever of 1000 ports the first takes.
    const fat_tree tree({2, 2}, {1, 1000});
    const std::vector<node_message> messages{{.from = 0, .to = 2}, {.from = 1, .to = 2}};
    CHECK(search(tree, messages, 1).run(2) == search::outcome::impossible);
}

TEST_CASE("the message with the fewest ways left comes next", "[topology][ascent_search]") {
    // Five switches with two ports. Messages 0, 2, 3, 1 share a switch each with the next, so once the first
    // has its port all others follow. In the order of their numbers the second choice would be wrong.
    const fat_tree tree({2, 5}, {1, 2});
    const std::vector<node_message> messages{
        {.from = 0, .to = 6}, {.from = 4, .to = 8}, {.from = 2, .to = 7}, {.from = 3, .to = 9}};
    search trial(tree, messages, 1);
    REQUIRE(trial.run(4) == search::outcome::found); // no choice is taken back
    CHECK(trial.plane(0) == trial.plane(3));
    CHECK(trial.plane(1) == trial.plane(2));
    CHECK(trial.plane(0) != trial.plane(1));
}
