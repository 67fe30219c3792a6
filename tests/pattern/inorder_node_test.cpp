// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/inorder_node.hpp>

#include <vector>

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
    for (rank_type size = 1; size <= 100; ++size) {
        const std::vector<rank_type> all = ranks_of(inorder_node::root(size));
        REQUIRE(all.size() == static_cast<std::size_t>(size));
        for (rank_type r = 0; r < size; ++r) {
            REQUIRE(all[static_cast<std::size_t>(r)] == r);
            const inorder_node n = inorder_node::of({r, size, 0});
            CAPTURE(size, r);
            REQUIRE(n.rank() == r);
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

static_assert(inorder_node::of({4, 5, 0}).has_left() && !inorder_node::of({4, 5, 0}).has_right());
static_assert(inorder_node::of({3, 5, 0}).parent() == 4);
