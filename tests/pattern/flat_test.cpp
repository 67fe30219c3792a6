// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/flat.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

static_assert(flat_tree({3, 5, 2}).parent() == 2);
static_assert(flat_tree({2, 5, 2}).parent() == no_rank);
static_assert(flat_tree({0, 1, 0}).rounds() == 0);

TEST_CASE("every rank but the root of a flat tree is the root's child", "[pattern][tree][flat]") {
    testing::check_trees(70, [](place at) { return flat_tree(at); });
}

TEST_CASE("a flat tree visited backwards goes down from the root, then up from it", "[pattern][tree][flat]") {
    CHECK(testing::children_of(flat_tree({2, 5, 2}), 0) == std::vector<rank_type>{4, 3, 0, 1});
    CHECK(testing::children_of(flat_tree({0, 5, 0}), 0) == std::vector<rank_type>{4, 3, 2, 1});
    CHECK(testing::children_of(flat_tree({4, 5, 4}), 0) == std::vector<rank_type>{0, 1, 2, 3});
    CHECK(testing::children_of(flat_tree({1, 5, 4}), 0).empty());
}

TEST_CASE("a flat tree refuses a place that is none", "[pattern][tree][flat]") {
    CHECK_THROWS_AS(flat_tree({0, 0, 0}), argument_error);
    CHECK_THROWS_AS(flat_tree({5, 5, 0}), argument_error);
    CHECK_THROWS_AS(flat_tree({0, 5, -1}), argument_error);
}
