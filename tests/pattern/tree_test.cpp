// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/tree.hpp>

#include <type_traits>
#include <vector>

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

} // namespace

static_assert(std::is_trivially_copyable_v<tree>, "a tree owns no memory");
static_assert(sizeof(tree) <= 56, "two of them fit into a generator that needs no memory of its own");

TEST_CASE("a tree of one rank has neither parent nor children", "[pattern][tree]") {
    const tree alone{{}};
    CHECK(alone.parent() == no_rank);
    CHECK(alone.parent_round() == no_round);
    CHECK(alone.rounds() == 0);
    CHECK(alone.most_children() == 0);
}

TEST_CASE("children that rise and fall are served in one round, in both orders", "[pattern][tree]") {
    // Root 2 of 5 ranks, as in a flat tree.
    const tree root({.at = {2, 5, 2}, .rounds = 1, .falling = 2, .rising_from = 3, .rising = 2});
    CHECK(testing::children_of(root, 0) == std::vector<rank_type>{4, 3, 0, 1});
    std::vector<rank_type> last_first;
    root.children_last_first(0, [&](rank_type child) { last_first.push_back(child); });
    CHECK(last_first == std::vector<rank_type>{1, 0, 3, 4});
    CHECK(testing::children_of(root, 1).empty());
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
