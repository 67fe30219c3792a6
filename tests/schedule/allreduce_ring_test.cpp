// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/ring.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<ring, collective::allreduce>();
}

TEST_CASE("allreduce ring is proved for any size and moves and folds the least",
          "[schedule][allreduce][ring]") {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.same_bits);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.rounds == 2 * (size - 1));
    }
}

TEST_CASE("in allreduce ring every rank sends to its right neighbour and receives from the left one",
          "[schedule][allreduce][ring]") {
    for (rank_type r = 0; r < 5; ++r)
        for (round_index i = 0; i < 8; ++i) {
            std::vector<step> steps;
            make({r, 5, 0}).append(i, steps);
            REQUIRE(steps.size() == 2);
            CHECK(steps[0].kind == step_kind::send);
            CHECK(steps[0].peer == (r + 1) % 5);
            CHECK(steps[1].kind == (i < 4 ? step_kind::recv_reduce : step_kind::recv));
            CHECK(steps[1].peer == (r + 4) % 5);
        }
}

TEST_CASE("what a rank of allreduce ring gets in a round it sends in the next",
          "[schedule][allreduce][ring]") {
    std::vector<step> steps;
    for (round_index i = 0; i < 8; ++i) make({1, 5, 0}).append(i, steps);
    for (std::size_t i = 1; i + 1 < steps.size(); i += 2) CHECK(steps[i].blocks == steps[i + 1].blocks);
}
