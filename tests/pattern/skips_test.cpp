// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/skips.hpp>

#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/skips_of_all_kinds.hpp"

using namespace tutti;

namespace {
/// What is said of a list that is refused; "" if it is not.
std::string refusal(rank_type size, const std::vector<rank_type>& skips) {
    try {
        circulant_skips(size, 0, skip_list(std::span<const rank_type>(skips)));
    } catch (const argument_error& e) {
        return e.what();
    }
    return "";
}
} // namespace

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

TEST_CASE("listed skips are as they are listed, then halve", "[pattern][skips]") {
    std::mt19937 random(1);
    for (rank_type size = 1; size <= 70; ++size)
        testing::for_each_skips(size, random, [&](const skip_list& list, const std::vector<rank_type>& all) {
            const circulant_skips skips(size, 0, list);
            REQUIRE(skips.count() + 1 == static_cast<int>(all.size()));
            for (int k = 0; k <= skips.count(); ++k) CHECK(skips[k] == all[static_cast<std::size_t>(k)]);
        });
}

TEST_CASE("behind listed skips, and without a list, they fall by no more than the bound",
          "[pattern][skips]") {
    static constexpr circulant_skips two(12, 2, {12, 8});
    static_assert(two.count() == 5);
    for (const int k : {0, 1, 2, 3, 4, 5}) CHECK(two[k] == std::vector{12, 8, 6, 4, 2, 1}[std::size_t(k)]);
    for (const rank_type most : {0, 1, 3, 9})
        for (rank_type size = 1; size <= 30; ++size) {
            const circulant_skips none(size, most);
            const bounded_skips bounded(size, most);
            REQUIRE(none.count() == bounded.count());
            for (int k = 0; k <= none.count(); ++k) CHECK(none[k] == bounded[k]);
        }
    CHECK_THROWS_AS(circulant_skips(4, -1), argument_error);
}

TEST_CASE("a list that is no list of skips is refused by its first number that is wrong",
          "[pattern][skips]") {
    CHECK(refusal(16, {16, 8, 4, 3, 2, 1}).empty());
    CHECK(refusal(5, {5, 3}).empty());
    CHECK(refusal(1, {1}).empty());
    CHECK(refusal(16, {15, 8}) == "tutti: skips[0] is 15; allowed: 16, the number of ranks");
    CHECK(refusal(16, {8, 4, 2, 1}) == "tutti: skips[0] is 8; allowed: 16, the number of ranks");
    CHECK(refusal(5, {5, 2, 1})
          == "tutti: skips[1] is 2; allowed: 3..4, less than the one before and no less than half of it");
    CHECK(refusal(16, {16, 8, 8})
          == "tutti: skips[2] is 8; allowed: 4..7, less than the one before and no less than half of it");
    CHECK(refusal(16, {16, 8, 9, 2})
          == "tutti: skips[2] is 9; allowed: 4..7, less than the one before and no less than half of it");
    CHECK(refusal(4, {4, 2, 0})
          == "tutti: skips[2] is 0; allowed: 1..1, less than the one before and no less than half of it");
    CHECK(refusal(2, {2, -1}).find("skips[1] is -1; allowed: 1..1") != std::string::npos);
    CHECK(refusal(2, {2, 1, 1}) == "tutti: skips[2] is 1; allowed: nothing, the one before is 1");
    CHECK(refusal(2, {2, 1, 0}) == "tutti: skips[2] is 0; allowed: nothing, the one before is 1");
    std::vector<rank_type> ring;
    for (rank_type skip = 40; skip >= 1; --skip) ring.push_back(skip);
    CHECK(refusal(40, ring) == "tutti: skips is 40 numbers; allowed: at most 32; behind the last they halve");
    ring.resize(32);
    CHECK(refusal(40, ring).empty());
}

TEST_CASE("a list has room for the halving skips of the largest world", "[pattern][skips]") {
    constexpr rank_type largest = std::numeric_limits<rank_type>::max();
    const std::vector<rank_type> halves = testing::with_halves({largest});
    REQUIRE(halves.size() == skip_list::most);
    CHECK(refusal(largest, halves).empty());
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
