// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/message_tree.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/rounds_as_text.hpp"

namespace {

using tutti::collective;
using tutti::rank_type;
using tutti::round_index;
using tutti::detail::message_tree;
using list = std::vector<std::string>;

/// A run, and the tree that its messages make.
struct grown {
    tutti::symbolic_run run;
    message_tree tree{tutti::detail::tree_of(run)};

    grown(rank_type size, const list& rounds, rank_type root = 0)
        : run(collective::bcast, support::schedule_as_text(size, rounds).all(root)) {}
};

/// 0 to 1 to 2 ...
grown chain(rank_type size) {
    list rounds;
    for (rank_type r = 1; r < size; ++r) rounds.push_back(std::to_string(r - 1) + ">" + std::to_string(r));
    return {size, rounds};
}

} // namespace

TEST_CASE("a tree has parents, children in the order of their messages, and what goes over its edges",
          "[render]") {
    const grown all(5, {"4+0 3+2", "2+0", "0>2 1+0", "0>2"});
    const message_tree& tree = all.tree;
    REQUIRE(tree.exists());
    CHECK(tree.root() == 0);
    CHECK(tree.depth() == 2);
    CHECK(tree[0].parent == tutti::no_rank);
    CHECK(tree[0].depth == 0);
    CHECK(tree[0].children == std::vector<rank_type>{4, 2, 1});
    CHECK(tree[2].children == std::vector<rank_type>{3});
    CHECK(tree[3].parent == 2);
    CHECK(tree[3].depth == 2);
    CHECK(tree[1].depth == 1);
    CHECK(tree[3].down.rounds.empty());
    CHECK(tree[2].up.rounds == std::vector<round_index>{1});
    CHECK(tree[2].up.folds);
    CHECK(tutti::detail::messages_of(all.run)[tree[2].up.last] == &all.run.movements(1).front());
    CHECK(tree[2].down.rounds == std::vector<round_index>{2, 3});
    CHECK_FALSE(tree[2].down.folds);
    CHECK(tutti::detail::messages_of(all.run)[tree[2].down.last] == &all.run.movements(3).front());
}

TEST_CASE("on top is the rank at which all folds end, or the root where that is none", "[render]") {
    CHECK(grown(2, {"0+1", "1>0"}).tree.root() == 1);
    CHECK(grown(3, {"0+1 2+1"}, 2).tree.root() == 1);
    CHECK(grown(3, {"2>1", "1>0"}, 2).tree.root() == 2);
    CHECK(grown(2, {"0+1 1+0"}, 1).tree.root() == 1); // everybody passes on
}

TEST_CASE("messages make no tree where there is a circle, or a rank apart", "[render]") {
    CHECK_FALSE(grown(3, {"shift1>"}).tree.exists());
    CHECK_FALSE(grown(3, {"0>1"}).tree.exists());
    // As many edges as a tree of 4 would have: a circle, seen from within and from outside.
    CHECK_FALSE(grown(4, {"shift1/3>"}).tree.exists());
    CHECK_FALSE(grown(4, {"shift1/3>"}, 3).tree.exists());
    CHECK_FALSE(grown(1, {""}).tree.exists());
    CHECK(grown(2, {"1>0"}).tree.exists());
}

TEST_CASE("a tree is flat up to seven levels below its root, of more than two ranks", "[render]") {
    CHECK_FALSE(chain(2).tree.flat());
    CHECK(chain(3).tree.flat());
    CHECK(chain(8).tree.flat());
    CHECK_FALSE(chain(9).tree.flat());
    for (const rank_type size : {2, 3, 8, 9}) CHECK(chain(size).tree.exists());
}
