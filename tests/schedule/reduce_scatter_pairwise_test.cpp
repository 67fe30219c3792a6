// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/pairwise.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<pairwise, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter pairwise is proved for any size", "[schedule][reduce_scatter][pairwise]") {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("reduce_scatter pairwise needs a commutative operation from 3 ranks on",
          "[schedule][reduce_scatter][pairwise]") {
    for (rank_type size = 3; size <= 20; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(!p.order_preserved);
        CHECK(!make({0, size, 0}).claims().order_preserving);
    }
}

TEST_CASE("in every round of reduce_scatter pairwise the peers are one distance away",
          "[schedule][reduce_scatter][pairwise]") {
    for (rank_type r = 0; r < 5; ++r)
        for (round_index i = 0; i < 4; ++i) {
            std::vector<step> steps;
            make({r, 5, 0}).append(i, steps);
            REQUIRE(steps.size() == 2);
            CHECK(steps[0].peer == (r + i + 1) % 5);
            CHECK(steps[0].blocks == block_set{.first = steps[0].peer, .count = 1});
            CHECK(steps[1].peer == (r + 5 - i - 1) % 5);
            CHECK(steps[1].blocks == block_set{.first = r, .count = 1});
        }
}
