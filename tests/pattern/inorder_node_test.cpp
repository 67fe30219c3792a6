// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/inorder_node.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <tutti/pattern/two_tree.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// The ranks of a subtree, in order.
std::vector<rank_type> ranks_of(const inorder_node& n) {
    std::vector<rank_type> all;
    if (n.has_left()) all = ranks_of(n.left());
    all.push_back(n.rank());
    if (n.has_right())
        for (const rank_type r : ranks_of(n.right())) all.push_back(r);
    return all;
}

} // namespace

TEST_CASE("a walk through a tree of intervals visits all ranks in order", "[pattern][inorder_node]") {
    const inorder_shape shape =
        GENERATE(inorder_shape::balanced, inorder_shape::first, inorder_shape::second);
    for (rank_type size = 1; size <= 100; ++size) {
        const std::vector<rank_type> all = ranks_of(inorder_node::root(size, shape));
        REQUIRE(all.size() == static_cast<std::size_t>(size));
        for (rank_type r = 0; r < size; ++r) {
            REQUIRE(all[static_cast<std::size_t>(r)] == r);
            const inorder_node n = inorder_node::of({r, size, 0}, shape);
            CAPTURE(size, r);
            REQUIRE(n.rank() == r);
            REQUIRE(n.top().rank() == inorder_node::root(size, shape).rank());
            const std::vector<rank_type> below = ranks_of(n);
            REQUIRE(n.any_before() == (below.front() > 0));
            REQUIRE(n.any_behind() == (below.back() < size - 1));
        }
    }
}

TEST_CASE("the tree of intervals is the in-order binary tree of the middle rank", "[pattern][inorder_node]") {
    for (rank_type size = 1; size <= 100; ++size)
        for (rank_type r = 0; r < size; ++r) {
            CAPTURE(size, r);
            const tree t = inorder_binary_tree({r, size, size / 2});
            const inorder_node n = inorder_node::of({r, size, 0});
            REQUIRE(n.parent() == t.parent());
            REQUIRE(n.depth() == t.parent_round() + 1);
            std::vector<rank_type> children;
            if (n.has_right()) children.push_back(n.right().rank());
            if (n.has_left()) children.push_back(n.left().rank());
            std::vector<rank_type> visited;
            t.children(t.parent_round() + 1, [&](rank_type child) { visited.push_back(child); });
            REQUIRE(children == visited);
        }
}

TEST_CASE("two trees of intervals are those below the root of two_tree_half", "[pattern][inorder_node]") {
    for (rank_type size = 1; size <= 200; ++size)
        for (const auto& [shape, half] : {std::pair{inorder_shape::first, tree_half::first},
                                          std::pair{inorder_shape::second, tree_half::second}}) {
            rank_type deepest = 0;
            for (rank_type r = 0; r < size; ++r) {
                CAPTURE(size, r, half);
                const tree t = two_tree_half({r + 1, size + 1, 0}, half); // whose root stands before rank 0
                const inorder_node n = inorder_node::of({r, size, 0}, shape);
                REQUIRE(n.parent() == t.parent() - 1);
                REQUIRE(n.depth() == t.parent_round());
                deepest = std::max(deepest, n.depth());
            }
            REQUIRE(inorder_node::root(size, shape).deepest() == deepest);
        }
}

TEST_CASE("who has children in one of two trees has none in the other", "[pattern][inorder_node]") {
    for (rank_type size = 1; size <= 200; ++size)
        for (rank_type r = 0; r < size; ++r) {
            const inorder_node first = inorder_node::of({r, size, 0}, inorder_shape::first);
            const inorder_node second = inorder_node::of({r, size, 0}, inorder_shape::second);
            const bool inner[]{first.has_left() || first.has_right(),
                               second.has_left() || second.has_right()};
            CAPTURE(size, r);
            REQUIRE_FALSE((inner[0] && inner[1]));
            REQUIRE_FALSE(inner[r % 2]); // even ranks are leaves of the first tree, odd ones of the second
            if (second.has_right() && !second.has_left()) REQUIRE(r == 0);
        }
}

TEST_CASE("the uppermost levels of a tree of intervals", "[pattern][inorder_node]") {
    std::vector<rank_type> seen;
    inorder_node::root(20, inorder_shape::first).for_each_upper(2, [&](const inorder_node& n) {
        REQUIRE(n.depth() <= 2);
        seen.push_back(n.rank());
    });
    CHECK(seen == std::vector<rank_type>{15, 7, 3, 11, 19, 17}); // numbers 16; 8, 4, 12; 20, 18
}

TEST_CASE("trees of the most ranks that there can be", "[pattern][inorder_node]") {
    constexpr rank_type size = 2147483647;
    CHECK(inorder_node::root(size, inorder_shape::first).rank() == (1 << 30) - 1);
    CHECK(inorder_node::root(size, inorder_shape::second).rank() == size - 1);
    CHECK(inorder_node::root(size, inorder_shape::second).deepest() == 31);
    CHECK(inorder_node::of({0, size, 0}, inorder_shape::first).depth() == 30);
}

static_assert(inorder_node::of({4, 5, 0}).has_left() && !inorder_node::of({4, 5, 0}).has_right());
static_assert(inorder_node::of({3, 5, 0}).parent() == 4);
