// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/circulant_round.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("a circulant round is what all ranks send in it, each but one that has nobody to send to",
          "[pattern][circulant_round]") {
    for (rank_type size = 2; size <= 300; ++size) {
        std::vector<circulant_blocks> each;
        for (rank_type rank = 0; rank < size; ++rank) each.emplace_back(rank, size);
        const int q = each.front().turn();
        for (int k = 0; k < q; ++k) {
            CAPTURE(size, k);
            rank_type next = 0;
            circulant_round(size, k).for_each_sent([&](rank_type first, rank_type count, int block) {
                REQUIRE(count > 0);
                if (next == size - halving_skip(size, q - k)) ++next;
                REQUIRE(first == next);
                for (; next < first + count; ++next)
                    REQUIRE(each[static_cast<std::size_t>(next)].sent(k) == block);
            });
            if (next == size - halving_skip(size, q - k)) ++next;
            REQUIRE(next == size);
        }
    }
}

TEST_CASE("a circulant round of many ranks is not many more runs than there are ranks near rank 0",
          "[pattern][circulant_round]") {
    for (const rank_type size : {1000, 1024, 4097})
        for (int k = 0; k < ceil_log2(size); ++k) {
            CAPTURE(size, k);
            const rank_type near = halving_skip(size, ceil_log2(size) - k); // send their own first block
            const rank_type parts = halving_skip(size, k);
            int runs = 0;
            circulant_round(size, k).for_each_sent([&](rank_type, rank_type, int) { ++runs; });
            CHECK(runs <= (k == 0 ? size : near + 5 * parts));
        }
}

TEST_CASE("the third round of 5 ranks is the example of the header", "[pattern][circulant_round]") {
    std::vector<std::tuple<rank_type, rank_type, int>> runs;
    circulant_round(5, 2).for_each_sent(
        [&](rank_type first, rank_type count, int block) { runs.emplace_back(first, count, block); });
    CHECK(
        runs
        == std::vector<std::tuple<rank_type, rank_type, int>>{{0, 1, 2}, {1, 1, 0}, {3, 1, -2}, {4, 1, -1}});
}
