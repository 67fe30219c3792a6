// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/swing.hpp>

#include <set>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// What `rank` has met after the exchanges levels-1, ..., s+1.
std::set<rank_type> met(rank_type rank, int s, int levels) {
    if (s == levels - 1) return {rank};
    std::set<rank_type> all = met(rank, s + 1, levels);
    all.merge(met(swing_partner(rank, s + 1, levels), s + 1, levels));
    return all;
}

} // namespace

TEST_CASE("the distances of swing are sums of powers of -2", "[pattern][swing]") {
    const std::vector<rank_type> first{1, -1, 3, -5, 11, -21, 43};
    std::int64_t sum = 0;
    std::int64_t power = 1;
    for (int s = 0; s <= 30; ++s) {
        sum += power;
        power *= -2;
        CHECK(swing_distance(s) == sum);
        if (s < 7) CHECK(swing_distance(s) == first[static_cast<std::size_t>(s)]);
    }
}

TEST_CASE("partners of swing are each other's, in the largest world too", "[pattern][swing]") {
    for (const int levels : {1, 2, 3, 6, 30})
        for (int s = 0; s < levels; ++s)
            for (rank_type r = 0; r < (1 << (levels < 7 ? levels : 7)); ++r) {
                const rank_type partner = swing_partner(r, s, levels);
                REQUIRE(partner >= 0);
                REQUIRE(partner < (1 << levels));
                REQUIRE(partner % 2 != r % 2);
                REQUIRE(swing_partner(partner, s, levels) == r);
                REQUIRE(swing_is_left(r, s, levels) != swing_is_left(partner, s, levels));
            }
}

TEST_CASE("what a rank has met in swing are two classes, and who has met the same is on the same side",
          "[pattern][swing]") {
    for (int levels = 1; levels <= 7; ++levels)
        for (int s = 0; s < levels; ++s)
            for (rank_type r = 0; r < 1 << levels; ++r) {
                const std::set<rank_type> all = met(r, s, levels);
                REQUIRE(all.size() == std::size_t{1} << (levels - 1 - s));
                for (const rank_type other : all) {
                    REQUIRE(met(other, s, levels) == all);
                    REQUIRE(swing_is_left(other, s, levels) == swing_is_left(r, s, levels));
                    if (s == levels - 1) continue;
                    const rank_type apart = 1 << (s + 2);
                    const rank_type next = swing_partner(r, s + 1, levels);
                    REQUIRE((other % apart == r % apart || other % apart == next % apart));
                }
            }
}
