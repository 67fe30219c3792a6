// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/ascent_search.hpp>

#include <cstdint>
#include <numeric>
#include <random>
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
    const std::vector<node_message> to_itself{{.from = 1, .to = 1}}; // uses no link
    CHECK(search(tree, to_itself, 1).run(0) == search::outcome::found);
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

namespace {
/// The same in plain words, for switches of nodes with one link each: counts anew what it wants to know.
struct plain_search {
    const fat_tree& tree;
    const std::vector<node_message>& messages;
    std::vector<link_index> ports;
    std::int64_t choices = 0;

    plain_search(const fat_tree& on, const std::vector<node_message>& all)
        : tree(on), messages(all), ports(all.size(), -1) {}

    bool stays(std::size_t m) const { return tree.height(messages[m].from, messages[m].to) == 1; }
    link_index ways(std::size_t m) const { return stays(m) ? 1 : tree.planes(2); }
    bool is_open(std::size_t m, link_index port) const {
        for (std::size_t other = 0; other < messages.size(); ++other) {
            if (stays(m) || other == m || stays(other) || ports[other] != port) continue;
            if (tree.subtree(messages[m].from, 1) == tree.subtree(messages[other].from, 1)) return false;
            if (tree.subtree(messages[m].to, 1) == tree.subtree(messages[other].to, 1)) return false;
        }
        return true;
    }
    link_index open_ways(std::size_t m) const {
        link_index count = 0;
        for (link_index port = 0; port < ways(m); ++port) count += is_open(m, port) ? 1 : 0;
        return count;
    }
    bool is_used(link_index port) const {
        for (std::size_t m = 0; m < messages.size(); ++m)
            if (!stays(m) && ports[m] == port) return true;
        return false;
    }
    bool run() {
        std::size_t next = messages.size();
        for (std::size_t m = 0; m < messages.size(); ++m)
            if (ports[m] < 0 && (next == messages.size() || open_ways(m) < open_ways(next))) next = m;
        if (next == messages.size()) return true;
        for (link_index port = 0; port < ways(next); ++port) {
            if (!is_open(next, port) || (port > 0 && !is_used(port) && !is_used(port - 1))) continue;
            ++choices;
            ports[next] = port;
            if (run()) return true;
            ports[next] = -1;
        }
        return false;
    }
};
} // namespace

TEST_CASE("the search makes as many choices as one that counts the open ways anew each time",
          "[topology][ascent_search]") {
    std::mt19937 random(5);
    int impossible = 0;
    int taken_back = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const auto nodes = static_cast<node_type>(2 + random() % 3);
        const auto switches = static_cast<node_type>(2 + random() % 4);
        const fat_tree tree({nodes, switches}, {1, static_cast<int>(2 + random() % 2)});
        std::vector<node_type> to(static_cast<std::size_t>(tree.nodes()));
        std::iota(to.begin(), to.end(), 0);
        for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[random() % i]);
        std::vector<node_message> messages;
        for (node_type n = 0; n < tree.nodes(); ++n)
            if (const node_type target = to[static_cast<std::size_t>(n)]; target != n && random() % 4 != 0)
                messages.push_back({.from = n, .to = target});
        plain_search plain(tree, messages);
        const bool found = plain.run();
        CAPTURE(trial, plain.choices);
        search same(tree, messages, 1);
        CHECK(same.run(plain.choices) == (found ? search::outcome::found : search::outcome::impossible));
        for (std::size_t m = 0; m < messages.size() && found; ++m) CHECK(same.plane(m) == plain.ports[m]);
        if (plain.choices > 0)
            CHECK(search(tree, messages, 1).run(plain.choices - 1) == search::outcome::undecided);
        impossible += found ? 0 : 1;
        taken_back += plain.choices > static_cast<std::int64_t>(messages.size()) ? 1 : 0;
    }
    CHECK(impossible > 20);
    CHECK(taken_back > 5);
}
