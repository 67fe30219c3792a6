// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/segmented_ring.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory in_segments(block_index segments) {
    return factory_of<segmented_ring, collective::allreduce>({segments});
}
} // namespace

TEST_CASE("allreduce segmented_ring is proved for any size and moves and folds the least",
          "[schedule][allreduce][segmented_ring]") {
    for (const block_index segments : {1, 2, 3, 8})
        for (rank_type size = 1; size <= 70; ++size) {
            const proof p = check_proved(collective::allreduce, size, 0, in_segments(segments));
            CHECK(p.same_bits);
            CHECK(p.rounds == (size == 1 ? 0 : 2 * (size - 1) + segments - 1));
            CHECK(p.sent_blocks == segments * 2 * (size - 1));
            CHECK(p.reduced_blocks == segments * (size - 1));
        }
}

TEST_CASE("allreduce segmented_ring of one segment is the ring", "[schedule][allreduce][segmented_ring]") {
    for (rank_type r = 0; r < 6; ++r) {
        std::vector<step> steps;
        std::vector<step> unsegmented;
        for (round_index i = 0; i < 10; ++i) {
            in_segments(1)({r, 6, 0}).append(i, steps);
            factory_of<ring, collective::allreduce>()({r, 6, 0}).append(i, unsegmented);
        }
        CHECK(steps == unsegmented);
    }
}

TEST_CASE("in allreduce segmented_ring a segment is one round behind the one before it",
          "[schedule][allreduce][segmented_ring]") {
    // 3 ranks, 2 segments of 3 blocks: in round 1 rank 0 sends block 1 of the first segment, which came in
    // round 0, and block 2 of the second.
    std::vector<step> steps;
    in_segments(2)({0, 3, 0}).append(1, steps);
    const auto block = [](block_index b) { return block_set{.first = b, .count = 1}; };
    CHECK(steps
          == std::vector{step::send(1, block(1)), step::recv_reduce(2, block(0), operand_side::right),
                         step::send(1, block(3 + 2)),
                         step::recv_reduce(2, block(3 + 1), operand_side::right)});
}

TEST_CASE("allreduce segmented_ring refuses less than one segment", "[schedule][allreduce][segmented_ring]") {
    CHECK_THROWS_AS(in_segments(0)({0, 4, 0}), argument_error);
}
