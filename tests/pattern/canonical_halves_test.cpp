// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/canonical_halves.hpp>

#include <vector>

#include "support/catch2.hpp"

using tutti::canonical_halves;
using tutti::rank_type;

TEST_CASE("the first ranks are as many as a power of two can be, the others are parted likewise",
          "[pattern][canonical_halves]") {
    for (rank_type size = 1; size <= 130; ++size) {
        rank_type base = 0;
        for (canonical_halves h(size);; h = h.inner()) {
            CHECK(h.base() == base);
            base += rank_type{1} << h.rounds();
            CHECK(h.others() == size - base);
            CHECK(h.others() < rank_type{1} << h.rounds());
            CHECK(h.doubles(base - 1));
            if (h.others() == 0) break;
            CHECK_FALSE(h.doubles(base));
            CHECK(h.ready() <= h.rounds());
            CHECK(h.partner_of(base) == h.base());
            CHECK(h.partner_of(h.base()) == base);
        }
        CHECK(base == size);
    }
}

TEST_CASE("each of the first ranks is told once, by who knows, in time", "[pattern][canonical_halves]") {
    for (rank_type size = 2; size <= 130; ++size) {
        CAPTURE(size);
        const canonical_halves h(size);
        if (h.others() == 0) continue;
        const rank_type first = size - h.others();
        std::vector<int> knows(static_cast<std::size_t>(size), -1); // since which round
        for (rank_type r = first; r < size; ++r) knows[static_cast<std::size_t>(r)] = h.ready() - 1;
        const auto tell = [&](rank_type from, rank_type to, int round) {
            CHECK(to < first);
            CHECK(h.told_by(to, round) == from);
            CHECK(knows[static_cast<std::size_t>(from)] < round);
            int& since = knows[static_cast<std::size_t>(to)];
            CHECK(since == -1);
            since = round;
        };
        for (rank_type r = first; r < size; ++r)
            h.for_each_told(r, [&](rank_type to) { tell(r, to, h.ready()); });
        for (int i = 0; i <= h.rounds(); ++i)
            for (rank_type r = 0; r < first; ++r)
                if (const rank_type to = h.passes_to(r, i); to != tutti::no_rank) tell(r, to, i);
        for (rank_type r = 0; r < first; ++r) CHECK(knows[static_cast<std::size_t>(r)] >= 0);
    }
}

TEST_CASE("with 11 ranks 8, 9 and 10 tell 0 to 3 in round 2, who tell 4 to 7 in round 3",
          "[pattern][canonical_halves]") {
    const canonical_halves h(11);
    std::vector<rank_type> told;
    for (const rank_type r : {8, 9, 10}) h.for_each_told(r, [&](rank_type to) { told.push_back(to); });
    CHECK(told == std::vector<rank_type>{0, 3, 1, 2});
    CHECK(h.ready() == 2);
    for (rank_type r = 0; r < 4; ++r) CHECK(h.passes_to(r, 3) == r + 4);
    CHECK(h.passes_to(4, 3) == tutti::no_rank);
    CHECK(h.passes_to(0, 2) == tutti::no_rank);
    CHECK(h.doubling_peer(5, 1) == 7);
    CHECK(h.inner().doubling_peer(8, 0) == 9);
}
