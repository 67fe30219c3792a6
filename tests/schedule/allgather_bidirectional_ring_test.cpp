// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/bidirectional_ring.hpp>

#include <vector>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bidirectional_ring, collective::allgather>();
}

TEST_CASE("allgather bidirectional_ring is proved for any size and moves the least in half the rounds",
          "[schedule][allgather][bidirectional_ring]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == size / 2);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
    }
}

TEST_CASE(
    "allgather bidirectional_ring sends as much to either neighbour, and a block up if there is a middle",
    "[schedule][allgather][bidirectional_ring]") {
    for (const rank_type size : {3, 8, 9})
        for (rank_type r = 0; r < size; ++r) {
            block_index up = 0;
            block_index down = 0;
            std::vector<step> steps;
            for (round_index i = 0; i < size / 2; ++i) make({r, size, 0}).append(i, steps);
            for (const step& s : steps) {
                if (s.kind != step_kind::send) continue;
                CHECK((s.peer == (r + 1) % size || s.peer == (r + size - 1) % size));
                (s.peer == (r + 1) % size ? up : down) += s.blocks.count;
            }
            CHECK(up == size / 2);
            CHECK(down == (size - 1) / 2);
        }
}

TEST_CASE("the rounds of rank 0 of 4 in allgather bidirectional_ring",
          "[schedule][allgather][bidirectional_ring]") {
    std::vector<step> steps;
    for (round_index i = 0; i < 2; ++i) make({0, 4, 0}).append(i, steps);
    const auto block = [](block_index b) { return block_set{.first = b, .count = 1}; };
    CHECK(steps
          == std::vector{step::send(1, block(0)), step::recv(3, block(3)), step::send(3, block(0)),
                         step::recv(1, block(1)), step::send(1, block(3)), step::recv(3, block(2))});
}
