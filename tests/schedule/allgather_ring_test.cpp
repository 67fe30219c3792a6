// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/ring.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<ring, collective::allgather>();
}

TEST_CASE("allgather ring is proved for any size and moves the least", "[schedule][allgather][ring]") {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.critical_sent == size - 1);
    }
}

TEST_CASE("allgather ring talks to neighbours only", "[schedule][allgather][ring]") {
    for (rank_type r = 0; r < 5; ++r)
        for (round_index i = 0; i < 4; ++i) {
            std::vector<step> steps;
            make({r, 5, 0}).append(i, steps);
            REQUIRE(steps.size() == 2);
            CHECK(steps[0].peer == (r + 1) % 5);
            CHECK(steps[1].peer == (r + 4) % 5);
        }
}
