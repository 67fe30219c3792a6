// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_fnomial.hpp>

#include <algorithm>
#include <vector>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("an f-nomial broadcast is proved for every size, root, radix and number of segments",
          "[schedule][bcast][fnomial]") {
    const rank_type radix = GENERATE(2, 3, 4, 5, 6, 7, 8, 9);
    const block_index segments = GENERATE(1, 4);
    CAPTURE(radix, segments);
    testing::prove_up_to<collective::bcast>(40, fnomial{radix, segments});
}

TEST_CASE("a binomial broadcast halves the distance between the ranks it has reached in every round",
          "[schedule][bcast][fnomial]") {
    std::vector<bool> reached(23, false);
    reached[5] = true;
    for (round_index i = 0; i < 5; ++i) {
        std::vector<bool> now = reached;
        for (rank_type r = 0; r < 23; ++r)
            generate(of<collective::bcast>, fnomial{}, {r, 23, 5}).emit(i, [&](const step& s) {
                if (s.kind != step_kind::send) return;
                REQUIRE(reached[static_cast<std::size_t>(r)]);
                now[static_cast<std::size_t>(s.peer)] = true;
            });
        reached = now;
        // Of 23 relative ranks those that are multiples of 16, 8, 4, 2, 1.
        CHECK(std::count(reached.begin(), reached.end(), true) == ceil_div(23, 16 >> i));
    }
}
