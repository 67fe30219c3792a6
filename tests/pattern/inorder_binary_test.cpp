// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/inorder_binary.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

static_assert(inorder_binary_tree({1, 5, 0}).parent() == 2);
static_assert(inorder_binary_tree({0, 5, 0}).rounds() == 3);
static_assert(inorder_binary_tree({0, 5, 2}).rounds() == 2);
static_assert(inorder_binary_tree({0, 1 << 20, 0}).rounds() == 20);

TEST_CASE("in-order binary trees are trees for any size and root", "[pattern][tree][binary]") {
    testing::check_trees(70, [](place at) { return inorder_binary_tree(at); });
}

TEST_CASE("the in-order binary tree of 5 ranks", "[pattern][tree][binary]") {
    const auto make = [](place at) { return inorder_binary_tree(at); };
    CHECK(testing::tree_text(5, 0, make)
          == "0: round 0: 3\n"
             "1: parent 2 in round 2\n"
             "2: parent 3 in round 1; round 2: 1\n"
             "3: parent 0 in round 0; round 1: 4 2\n"
             "4: parent 3 in round 1\n");
    CHECK(testing::tree_text(5, 2, make)
          == "0: parent 1 in round 1\n"
             "1: parent 2 in round 0; round 1: 0\n"
             "2: round 0: 4 1\n"
             "3: parent 4 in round 1\n"
             "4: parent 2 in round 0; round 1: 3\n");
}

namespace {
void traverse(rank_type size, rank_type root, rank_type rank, std::vector<rank_type>& visited) {
    const tree here = inorder_binary_tree({rank, size, root});
    const auto children = testing::children_of(here, here.parent_round() + 1);
    for (const rank_type child : children)
        if (child < rank) traverse(size, root, child, visited);
    visited.push_back(rank);
    for (const rank_type child : children)
        if (child > rank) traverse(size, root, child, visited);
}
} // namespace

TEST_CASE("an in-order traversal of the binary tree is the order of ranks, whatever the root",
          "[pattern][tree][binary]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (rank_type root = 0; root < size; ++root) {
            std::vector<rank_type> visited;
            traverse(size, root, root, visited);
            std::vector<rank_type> expected;
            for (rank_type r = 0; r < size; ++r) expected.push_back(r);
            CAPTURE(size, root);
            REQUIRE(visited == expected);
        }
}
