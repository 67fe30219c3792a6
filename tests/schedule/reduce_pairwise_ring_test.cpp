// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/pairwise_ring.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<pairwise_ring, collective::reduce>();
}

TEST_CASE("reduce pairwise_ring is proved for any size and root", "[schedule][reduce][pairwise_ring]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const proof p = check_proved(collective::reduce, size, root, make);
            // The root receives a vector less a block twice: in the reduce-scatter and in the last round.
            CHECK(p.received_blocks == 2 * (size - 1));
        }
    for (const rank_type root : {0, 35, 69}) check_proved(collective::reduce, 70, root, make);
}

TEST_CASE("in the last round of reduce pairwise_ring all send their block straight to the root",
          "[schedule][reduce][pairwise_ring]") {
    for (rank_type r = 0; r < 5; ++r) {
        std::vector<step> steps;
        make({r, 5, 3}).append(4, steps);
        if (r == 3) {
            REQUIRE(steps.size() == 4);
            for (const step& s : steps) CHECK(s == step::recv(s.peer, {.first = s.peer, .count = 1}));
        } else {
            CHECK(steps == std::vector{step::send(3, {.first = r, .count = 1})});
        }
    }
}
