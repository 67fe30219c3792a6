// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/recursive_doubling.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<recursive_doubling, collective::allreduce>();
}

TEST_CASE("allreduce recursive_doubling is proved for any size",
          "[schedule][allreduce][recursive_doubling]") {
    for (rank_type size = 1; size <= 130; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.order_preserved);
        CHECK(p.same_bits);
    }
}

TEST_CASE("with 5 ranks rank 1 gives its vector first and gets the result last",
          "[schedule][allreduce][recursive_doubling]") {
    constexpr block_set all{.first = 0, .count = 1};
    const schedule one(make({1, 5, 0}));
    REQUIRE(one.rounds() == 4);
    CHECK(std::vector<step>(one.steps().begin(), one.steps().end())
          == std::vector{step::send(0, all), step::recv(0, all)});
    const schedule three(make({3, 5, 0}));
    CHECK(std::vector<step>(three.steps().begin(), three.steps().end())
          == std::vector{step::send(4, all), step::recv_reduce(4, all, operand_side::right),
                         step::send(0, all), step::recv_reduce(0, all, operand_side::left)});
}

TEST_CASE("for a power of two recursive_doubling reaches the lower bound of rounds",
          "[schedule][allreduce][recursive_doubling]") {
    for (rank_type size = 1; size <= 64; size *= 2) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.rounds == p.bounds.rounds);
    }
}
