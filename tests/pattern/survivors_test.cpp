// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/survivors.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("removing one rank per pair leaves a power of two in unchanged order", "[pattern][survivors]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (rank_type stays = 0; stays < size; ++stays) {
            const survivors group(size, stays);
            CAPTURE(size, stays);
            REQUIRE(group.power() == floor_pow2(size));
            REQUIRE(group.power() + group.extra() == size);
            REQUIRE(!group.removed(stays));
            rank_type next = 0;
            for (rank_type r = 0; r < size; ++r) {
                if (group.removed(r)) {
                    REQUIRE(group.paired(r));
                    REQUIRE(!group.removed(r ^ 1));
                    REQUIRE(group.number(r) == group.number(r ^ 1));
                    continue;
                }
                REQUIRE(group.number(r) == next);
                REQUIRE(group.rank_of(next) == r);
                ++next;
            }
            REQUIRE(next == group.power());
        }
}

TEST_CASE("any number of ranks may be left that is at least half of all", "[pattern][survivors]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (rank_type left = (size + 1) / 2; left <= size; ++left) {
            CAPTURE(size, left);
            const survivors group(size, 0, left);
            rank_type next = 0;
            for (rank_type r = 0; r < size; ++r) {
                if (group.removed(r)) continue;
                REQUIRE(group.number(r) == next);
                REQUIRE(group.rank_of(next) == r);
                ++next;
            }
            REQUIRE(next == left);
        }
}

TEST_CASE("with 13 ranks 1,3,5,7,9 are removed, but a root among them stays", "[pattern][survivors]") {
    const survivors usual(13);
    for (rank_type r = 0; r < 13; ++r) CHECK(usual.removed(r) == (r < 10 && r % 2 == 1));
    const survivors root3(13, 3);
    CHECK(root3.removed(2));
    CHECK(!root3.removed(3));
    CHECK(root3.rank_of(1) == 3);
    const survivors root11(13, 11); // odd, but in no pair
    for (rank_type r = 0; r < 13; ++r) CHECK(root11.removed(r) == usual.removed(r));
}
