// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/group.hpp>

#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

static_assert(rank_group{0, 5, 0, 2}.lower() == rank_group{0, 3, 0, 1});
static_assert(rank_group{0, 5, 0, 2}.upper() == rank_group{3, 2, 1, 1});

TEST_CASE("halving 5 ranks twice gives groups of 2, 1, 1, 1", "[pattern][group]") {
    std::vector<rank_group> groups;
    for_each_group({0, 5, 0, 4}, 2, [&](const rank_group& g) { groups.push_back(g); });
    CHECK(groups == std::vector<rank_group>{{0, 2, 0, 1}, {2, 1, 1, 1}, {3, 1, 2, 1}, {4, 1, 3, 1}});
}

TEST_CASE("a group of one keeps its piece", "[pattern][group]") {
    // 3 ranks: {0, 1} and {2}; rank 2 is alone after the first halving and keeps half of the vector.
    CHECK(group_of(2, {0, 3, 0, 8}, 3) == rank_group{2, 1, 4, 4});
    CHECK(group_of(0, {0, 3, 0, 8}, 3) == rank_group{0, 1, 0, 2});
    CHECK(group_of(0, {0, 1, 0, 8}, 3) == rank_group{0, 1, 0, 8});
}

TEST_CASE("groups cover all ranks and all blocks once, and their sizes differ by one at most",
          "[pattern][group]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (int splits = 0; splits <= 8; ++splits) {
            CAPTURE(size, splits);
            const rank_group whole{0, size, 0, block_index{1} << splits};
            rank_type next_rank = 0;
            block_index next_block = 0;
            rank_type smallest = size;
            rank_type largest = 0;
            for_each_group(whole, splits, [&](const rank_group& g) {
                REQUIRE(g.first == next_rank);
                REQUIRE(g.first_block == next_block);
                REQUIRE(g.size >= 1);
                REQUIRE(g.blocks >= 1);
                for (rank_type r = g.first; r < g.first + g.size; ++r)
                    REQUIRE(group_of(r, whole, splits) == g);
                next_rank += g.size;
                next_block += g.blocks;
                smallest = g.size < smallest ? g.size : smallest;
                largest = g.size > largest ? g.size : largest;
            });
            REQUIRE(next_rank == size);
            REQUIRE(next_block == whole.blocks);
            REQUIRE(largest - smallest <= 1);
        }
}
