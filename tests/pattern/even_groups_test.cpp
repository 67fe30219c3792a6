// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/even_groups.hpp>

#include <algorithm>
#include <limits>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("groups of neighbours are as few as can be and differ by a rank at most",
          "[pattern][even_groups]") {
    for (rank_type size = 1; size <= 100; ++size)
        for (rank_type most = 1; most <= size + 2; ++most) {
            CAPTURE(size, most);
            const even_groups groups(size, most);
            REQUIRE(groups.count() == (size + most - 1) / most);
            REQUIRE(groups.largest() <= most);
            rank_type next = 0;
            for (rank_type g = 0; g < groups.count(); ++g) {
                REQUIRE(groups.first(g) == next);
                REQUIRE(groups.size(g) >= 1);
                REQUIRE(groups.size(g) == groups.largest() - (groups.larger() > 0 && g >= groups.larger()));
                for (rank_type r = next; r < next + groups.size(g); ++r) REQUIRE(groups.group_of(r) == g);
                next += groups.size(g);
            }
            REQUIRE(next == size);
        }
}

TEST_CASE("groups of very many ranks", "[pattern][even_groups]") {
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    const even_groups one(size, size);
    CHECK(one.count() == 1);
    CHECK(one.group_of(size - 1) == 0);
    const even_groups twos(size, 2);
    CHECK(twos.count() == 1 << 30);
    CHECK(twos.size(twos.count() - 1) == 1);
    CHECK(twos.first(twos.count() - 1) == size - 1);
    CHECK(twos.group_of(size - 2) == twos.count() - 2);
}
