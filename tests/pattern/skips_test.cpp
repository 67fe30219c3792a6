// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/skips.hpp>

#include <cstddef>
#include <limits>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("skips are the size halved and rounded up again and again", "[pattern][skips]") {
    for (const rank_type size : {1, 2, 3, 5, 69, 1000, std::numeric_limits<rank_type>::max()}) {
        std::int64_t skip = size;
        for (int k = 0; k <= ceil_log2(size); ++k) {
            CHECK(halving_skip(size, k) == skip);
            skip = (skip + 1) / 2;
        }
        CHECK(halving_skip(size, ceil_log2(size)) == 1);
    }
}

TEST_CASE("17 ranks have skips 17,9,5,3,2,1 and 22 ranks 22,11,6,3,2,1", "[pattern][skips]") {
    const std::vector<rank_type> of_17{17, 9, 5, 3, 2, 1};
    const std::vector<rank_type> of_22{22, 11, 6, 3, 2, 1};
    for (int k = 0; k < 6; ++k) {
        CHECK(halving_skip(17, k) == of_17[static_cast<std::size_t>(k)]);
        CHECK(halving_skip(22, k) == of_22[static_cast<std::size_t>(k)]);
    }
}

TEST_CASE("bounded skips are the size, then half of it or what the bound allows, whichever falls less",
          "[pattern][skips]") {
    for (const rank_type size : {1, 2, 3, 4, 5, 12, 17, 69, 70, 1000})
        for (rank_type most = 0; most <= size; ++most) {
            const bounded_skips skips(size, most);
            rank_type skip = size;
            for (int k = 0; k < skips.count(); ++k) {
                REQUIRE(skips[k] == skip);
                REQUIRE(skip > 1);
                const rank_type half = (skip + 1) / 2;
                skip = most == 0 || half > skip - most ? half : skip - most;
            }
            REQUIRE(skips[skips.count()] == 1);
            REQUIRE(skip == 1);
        }
}

TEST_CASE("bounded skips of the largest world", "[pattern][skips]") {
    constexpr rank_type largest = std::numeric_limits<rank_type>::max();
    CHECK(bounded_skips(largest).count() == 31);
    const bounded_skips one_by_one(largest, 1);
    CHECK(one_by_one.count() == largest - 1);
    CHECK(one_by_one[largest - 1] == 1);
    CHECK(one_by_one[1] == largest - 1);
    CHECK(bounded_skips(largest, largest / 3)[1] == largest - largest / 3);
}

TEST_CASE("12 ranks with skips that fall by 3 at most have 12,9,6,3,2,1", "[pattern][skips]") {
    const bounded_skips skips(12, 3);
    REQUIRE(skips.count() == 5);
    for (const int k : {0, 1, 2, 3, 4, 5}) CHECK(skips[k] == std::vector{12, 9, 6, 3, 2, 1}[std::size_t(k)]);
}

TEST_CASE("along the ring, up and down are inverse", "[pattern][skips]") {
    for (const direction where : {direction::up, direction::down})
        for (rank_type r = 0; r < 5; ++r)
            for (rank_type d = 0; d <= 5; ++d)
                CHECK(along(opposite(where), along(where, r, d, 5), d, 5) == r);
    CHECK(along(direction::up, 4, 3, 5) == 2);
    CHECK(along(direction::down, 4, 3, 5) == 1);
}

TEST_CASE("ahead and behind are inverse and count cyclically", "[pattern][skips]") {
    for (rank_type size = 1; size <= 20; ++size)
        for (rank_type r = 0; r < size; ++r)
            for (rank_type d = 0; d <= size; ++d) {
                CHECK(ahead(r, d, size) == (r + d) % size);
                CHECK(behind(ahead(r, d, size), d, size) == r);
            }
}

TEST_CASE("ahead and behind do not overflow in the largest world", "[pattern][skips]") {
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    CHECK(ahead(size - 1, size - 1, size) == size - 2);
    CHECK(behind(0, size - 1, size) == 1);
    static_assert(ahead(4, 3, 5) == 2 && behind(1, 3, 5) == 3);
}
