// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/tree.hpp>

#include <tutti/pattern/flat.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

namespace {

/// Two ranks that both think they are the root's child.
struct two_fathers {
    place at;
    rank_type parent() const { return at.rank == 0 ? no_rank : 0; }
    round_index parent_round() const { return at.rank == 0 ? no_round : 0; }
    round_index rounds() const { return 1; }
    template <class F>
    void children(round_index, F&& f) const {
        if (at.rank == 0) f(1);
        if (at.rank == 0) f(1);
    }
    std::int64_t most_children() const { return 2; }
    std::int64_t most_messages(round_index) const { return 2; }
    bool keeps_order() const { return true; }
};

struct no_children {
    rank_type parent() const { return no_rank; }
};

} // namespace

TEST_CASE("the tree concept asks for every part of a tree", "[pattern][tree]") {
    CHECK(tree<flat_tree>);
    CHECK(tree<two_fathers>);
    CHECK_FALSE(tree<no_children>);
    CHECK_FALSE(tree<int>);
}

TEST_CASE("the tree checker of these tests sees faults", "[pattern][tree]") {
    CHECK(testing::tree_fault(3, 0, [](place at) { return two_fathers{at}; })
          == "not the child of exactly one rank, rank 1");
}

TEST_CASE("cyclic intervals keep the order for root 0 and for the root whose last child is rank 0",
          "[pattern][tree]") {
    CHECK(detail::cyclic_intervals_keep_order({0, 5, 0}, 4));
    CHECK(detail::cyclic_intervals_keep_order({0, 5, 1}, 4));
    CHECK_FALSE(detail::cyclic_intervals_keep_order({0, 5, 2}, 4));
    CHECK_FALSE(detail::cyclic_intervals_keep_order({0, 5, 4}, 4));
}
