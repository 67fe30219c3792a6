// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/binary_blocks.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("blocks of ranks are the powers of two of the size, largest first, without gaps",
          "[pattern][binary_blocks]") {
    for (rank_type size = 1; size <= 300; ++size) {
        CAPTURE(size);
        rank_block block = block_of(0, size);
        REQUIRE(block.first == 0);
        REQUIRE(!has_larger(block));
        while (true) {
            REQUIRE((size & block.ranks()) != 0);
            for (rank_type r = block.first; r < block.first + block.ranks(); ++r)
                REQUIRE(block_of(r, size) == block);
            if (!has_smaller(block, size)) break;
            const rank_block next = smaller(block, size);
            REQUIRE(next.first == block.first + block.ranks());
            REQUIRE(next.exponent < block.exponent);
            REQUIRE(larger(next, size) == block);
            block = next;
        }
        REQUIRE(block.first + block.ranks() == size);
    }
}

TEST_CASE("13 ranks are 8 + 4 + 1", "[pattern][binary_blocks]") {
    CHECK(block_of(7, 13) == rank_block{.first = 0, .exponent = 3});
    CHECK(block_of(8, 13) == rank_block{.first = 8, .exponent = 2});
    CHECK(block_of(11, 13) == rank_block{.first = 8, .exponent = 2});
    CHECK(block_of(12, 13) == rank_block{.first = 12, .exponent = 0});
}

TEST_CASE("the largest difference of exponents is the one of the sizes named in the paper",
          "[pattern][binary_blocks]") {
    for (const rank_type size : {1, 2, 64, 1 << 30}) CHECK(delta_expo_max(size) == 0);
    for (const rank_type size : {96, 60}) CHECK(delta_expo_max(size) == 1);
    for (const rank_type size : {61, 80, 235, 251}) CHECK(delta_expo_max(size) == 2);
    for (const rank_type size : {36, 77, 100}) CHECK(delta_expo_max(size) == 3);
    CHECK(delta_expo_max((1 << 30) + 1) == 30);
}
