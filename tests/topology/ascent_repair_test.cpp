// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/ascent_repair.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tutti/topology/ascent_assignment.hpp>

#include "support/catch2.hpp"

using namespace tutti;
using repair = tutti::detail::ascent_repair;

namespace {

/// Load of the busiest link between the levels 0 and level + 1.
int busiest(const fat_tree& tree, const std::vector<node_message>& messages, const repair& found, int level) {
    std::vector<int> load(static_cast<std::size_t>(tree.links()), 0);
    for (std::size_t i = 0; i < messages.size(); ++i)
        route_through(tree, messages[i].from, messages[i].to, found.plane(i), [&](link_index l) {
            if (tree.parts(l).level <= level) ++load[static_cast<std::size_t>(l)];
        });
    return *std::max_element(load.begin(), load.end());
}

} // namespace

TEST_CASE("repairing parts messages that share links, up to its level", "[topology][ascent_repair]") {
    // Slimmed above level 2: five messages leave each half, over eight links.
    const fat_tree tree({4, 4, 2}, {1, 4, 2});
    std::vector<node_message> messages;
    for (node_type r = 0; r < 32; ++r) messages.push_back({.from = r, .to = r * 3 % 32});
    for (const int level : {1, 2}) {
        repair trial(tree, messages, level);
        CHECK(trial.run(1000));
        CHECK(busiest(tree, messages, trial, level) == 1);
    }
}

TEST_CASE("what was undone lately is left alone: a tight case is over after the same moves on every platform",
          "[topology][ascent_repair]") {
    const fat_tree tree({4, 4, 4}, {1, 4, 4}); // every link is needed
    std::vector<std::int64_t> needed;
    for (const node_type factor : {3, 5, 7, 9, 11, 13}) {
        std::vector<node_message> messages;
        for (node_type r = 0; r < 64; ++r) messages.push_back({.from = r, .to = r * factor % 64});
        std::int64_t moves = 0;
        while (moves < 100 && !repair(tree, messages, 2).run(moves)) ++moves;
        needed.push_back(moves);
    }
    CHECK(needed == std::vector<std::int64_t>{20, 15, 13, 10, 63, 38});
}

TEST_CASE("repairing ends without an answer where there is none", "[topology][ascent_repair]") {
    const fat_tree tree({2, 3, 2}, {1, 2, 1});
    const std::vector<node_message> odd_cycle{{.from = 0, .to = 10},
                                              {.from = 1, .to = 4},
                                              {.from = 2, .to = 6},
                                              {.from = 8, .to = 7},
                                              {.from = 9, .to = 5}};
    repair trial(tree, odd_cycle, 2);
    for (const std::int64_t moves : {0, 1, 1000}) {
        CHECK_FALSE(trial.run(moves));
        CHECK(busiest(tree, odd_cycle, trial, 2) > 1);
    }
    CHECK(repair(tree, {}, 2).run(0));
}
