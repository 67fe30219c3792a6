// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/two_tree.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

namespace {
constexpr auto first(place at) { return two_tree_half(at, tree_half::first); }
constexpr auto second(place at) { return two_tree_half(at, tree_half::second); }

bool is_inner(const tree& shape) {
    for (round_index i = 0; i < shape.rounds(); ++i)
        if (!testing::children_of(shape, i).empty()) return true;
    return false;
}
} // namespace

static_assert(first({3, 5, 0}).parent() == 2);
static_assert(second({2, 5, 0}).parent() == 1);
static_assert(first({0, 1 << 20, 0}).rounds() == 20);
static_assert(second({0, 1 << 20, 0}).rounds() == 21);
static_assert(second({2147483646, 2147483647, 0}).parent() == 2147483645);

TEST_CASE("both halves of a two-tree are trees for any size and root", "[pattern][tree][two_tree]") {
    testing::check_trees(70, [](place at) { return first(at); });
    testing::check_trees(70, [](place at) { return second(at); });
}

TEST_CASE("the two trees of 5 ranks", "[pattern][tree][two_tree]") {
    CHECK(testing::tree_text(5, 0, first)
          == "0: round 0: 4\n"
             "1: parent 2 in round 2\n"
             "2: parent 4 in round 1; round 2: 3 1\n"
             "3: parent 2 in round 2\n"
             "4: parent 0 in round 0; round 1: 2\n");
    CHECK(testing::tree_text(5, 0, second)
          == "0: round 0: 3\n"
             "1: parent 3 in round 1; round 2: 2\n"
             "2: parent 1 in round 2\n"
             "3: parent 0 in round 0; round 1: 4 1\n"
             "4: parent 3 in round 1\n");
}

TEST_CASE("a two-tree keeps the order if its root is at an end", "[pattern][tree][two_tree]") {
    for (rank_type size = 1; size <= 20; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const bool at_an_end = root == 0 || root == size - 1;
            for (rank_type rank = 0; rank < size; ++rank) {
                CHECK(first({rank, size, root}).keeps_order() == at_an_end);
                CHECK(second({rank, size, root}).keeps_order() == at_an_end);
            }
        }
}

TEST_CASE("no rank but the root is inner in both trees", "[pattern][tree][two_tree]") {
    for (rank_type size = 1; size <= 300; ++size)
        for (const rank_type root : {0, size / 3, size - 1})
            for (rank_type rank = 0; rank < size; ++rank) {
                if (rank == root) continue;
                CAPTURE(size, root, rank);
                REQUIRE_FALSE((is_inner(first({rank, size, root})) && is_inner(second({rank, size, root}))));
            }
}

TEST_CASE("both trees are no deeper than floor(log2 p) + 1", "[pattern][tree][two_tree]") {
    for (rank_type size = 2; size <= 1100; ++size) {
        CAPTURE(size);
        REQUIRE(first({0, size, 0}).rounds() == floor_log2(size - 1) + 1);
        REQUIRE(second({0, size, 0}).rounds() == (size == 2 ? 1 : floor_log2(size) + 1));
    }
}

namespace {
template <class Make>
void traverse(const Make& make, rank_type size, rank_type rank, std::vector<rank_type>& visited) {
    const auto here = make(place{rank, size, 0});
    const auto children = testing::children_of(here, here.parent_round() + 1);
    for (const rank_type child : children)
        if (child < rank) traverse(make, size, child, visited);
    visited.push_back(rank);
    for (const rank_type child : children)
        if (child > rank) traverse(make, size, child, visited);
}
} // namespace

TEST_CASE("both trees are in-order", "[pattern][tree][two_tree]") {
    for (rank_type size = 1; size <= 130; ++size) {
        std::vector<rank_type> expected;
        for (rank_type r = 0; r < size; ++r) expected.push_back(r);
        std::vector<rank_type> visited;
        traverse(first, size, 0, visited);
        CHECK(visited == expected);
        visited.clear();
        traverse(second, size, 0, visited);
        CHECK(visited == expected);
    }
}
