// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/swing_latency.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<swing_latency, collective::allreduce>();
}

TEST_CASE("allreduce swing_latency is proved for any size, with the same bits on all ranks",
          "[schedule][allreduce][swing_latency]") {
    for (rank_type size = 1; size <= 130; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        const bool even = floor_pow2(size) == size;
        CHECK(p.rounds == ceil_log2(size) + (even ? 0 : 1));
        CHECK(p.sent_blocks == ceil_log2(size));
        CHECK(p.reduced_blocks == ceil_log2(size));
        CHECK(p.same_bits);
        CHECK(p.order_preserved == (size <= 3));
    }
}

TEST_CASE("the rounds of rank 1 of 8 in allreduce swing_latency", "[schedule][allreduce][swing_latency]") {
    std::vector<step> steps;
    for (round_index i = 0; i < 3; ++i) make({1, 8, 0}).append(i, steps);
    constexpr block_set all{.first = 0, .count = 1};
    CHECK(steps
          == std::vector{step::send(6, all), step::recv_reduce(6, all, operand_side::right), //
                         step::send(2, all), step::recv_reduce(2, all, operand_side::left),  //
                         step::send(0, all), step::recv_reduce(0, all, operand_side::left)});
}
