// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/chain.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

static_assert(chain_tree({0, 5, 3}).parent() == 4);
static_assert(chain_tree({0, 5, 3}).parent_round() == 1);
static_assert(chain_tree({0, 1 << 20, 0}).rounds() == (1 << 20) - 1);

TEST_CASE("a chain visits every rank once", "[pattern][tree][chain]") {
    testing::check_trees(70, [](place at) { return chain_tree(at); });
}

TEST_CASE("a chain goes on cyclically from its root", "[pattern][tree][chain]") {
    CHECK(testing::tree_text(5, 3, [](place at) { return chain_tree(at); })
          == "0: parent 4 in round 1; round 2: 1\n"
             "1: parent 0 in round 2; round 3: 2\n"
             "2: parent 1 in round 3\n"
             "3: round 0: 4\n"
             "4: parent 3 in round 0; round 1: 0\n");
}

TEST_CASE("a chain keeps the order when its root is an end of the ranks", "[pattern][tree][chain]") {
    CHECK(chain_tree({0, 5, 0}).keeps_order());
    CHECK(chain_tree({0, 5, 4}).keeps_order());
    CHECK_FALSE(chain_tree({0, 5, 2}).keeps_order());
}
