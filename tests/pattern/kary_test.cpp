// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <tutti/pattern/kary.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

static_assert(kary_tree({3, 5, 0}, 2).parent() == 1);
static_assert(kary_tree({0, 1 << 20, 0}, 2).rounds() == 20);
static_assert(kary_tree({0, 1 << 20, 0}, 1).rounds() == (1 << 20) - 1);
static_assert(kary_tree({5, 2147483647, 0}, 2147483647).parent() == 0,
              "no overflow in the children's numbers");
static_assert(chain_tree({0, 5, 3}).parent() == 4);
static_assert(chain_tree({0, 5, 3}).parent_round() == 1);
static_assert(chain_tree({0, 1 << 20, 0}).rounds() == (1 << 20) - 1);

TEST_CASE("k-ary trees are trees for any arity, size and root", "[pattern][tree][kary]") {
    const rank_type arity = GENERATE(1, 2, 3, 4, 5, 69, 2147483647);
    CAPTURE(arity);
    testing::check_trees(70, [arity](place at) { return kary_tree(at, arity); });
}

TEST_CASE("a k-ary tree is filled level by level", "[pattern][tree][kary]") {
    CHECK(testing::tree_text(7, 1, [](place at) { return kary_tree(at, 2); })
          == "0: parent 3 in round 1\n"
             "1: round 0: 3 2\n"
             "2: parent 1 in round 0; round 1: 5 4\n"
             "3: parent 1 in round 0; round 1: 0 6\n"
             "4: parent 2 in round 1\n"
             "5: parent 2 in round 1\n"
             "6: parent 3 in round 1\n");
}

TEST_CASE("a k-ary tree has as many rounds as a full one of that height at least", "[pattern][tree][kary]") {
    for (rank_type arity = 1; arity <= 5; ++arity)
        for (rank_type size = 1; size <= 70; ++size) {
            // The smallest height whose full tree, 1 + k + ... + k^height, holds all ranks.
            round_index height = 0;
            for (std::int64_t full = 1, level = arity; full < size; full += level, level *= arity) ++height;
            CHECK(kary_tree({0, size, 0}, arity).rounds() == height);
        }
}

TEST_CASE("a unary tree is a chain", "[pattern][tree][kary]") {
    CHECK(testing::tree_text(9, 4, [](place at) { return kary_tree(at, 1); })
          == testing::tree_text(9, 4, [](place at) { return chain_tree(at); }));
}

TEST_CASE("an arity below 1 is refused", "[pattern][tree][kary]") {
    CHECK_THROWS_AS(kary_tree({0, 5, 0}, 0), argument_error);
    CHECK_THROWS_AS(kary_tree({0, 5, 0}, -3), argument_error);
}

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
