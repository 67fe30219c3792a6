// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scatter/fnomial.hpp>

#include <cstdint>

#include "support/long_parts.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("an f-nomial scatter is proved for every size, root and radix", "[schedule][scatter][fnomial]") {
    testing::prove_up_to<collective::scatter>(70, fnomial{});
    const rank_type radix = GENERATE(3, 4, 5, 8, 9);
    CAPTURE(radix);
    testing::prove_up_to<collective::scatter>(40, fnomial{radix});
}

TEST_CASE("a binomial scatter takes ceil(lg p) rounds, one message each, and the root sends the least",
          "[schedule][scatter][fnomial]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        CAPTURE(size);
        const proof p = testing::check_proved(collective::scatter, size, size / 2,
                                              testing::factory_of<fnomial, collective::scatter>());
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.rounds == p.bounds.rounds);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.scratch_blocks == 0);
        CHECK_FALSE(p.moves_blocks);
    }
}

TEST_CASE("rounds and messages of an f-nomial scatter are those of the f-nomial broadcast",
          "[schedule][scatter][fnomial]") {
    for (rank_type radix = 2; radix <= 9; ++radix)
        for (rank_type size = 2; size <= 130; ++size) {
            CAPTURE(radix, size);
            const proof p = testing::check_proved(collective::scatter, size, 0,
                                                  testing::factory_of<fnomial, collective::scatter>({radix}));
            const std::int64_t full = floor_log(radix, size);
            const std::int64_t messages =
                (radix - 1) * full + ceil_div(std::int64_t{size}, power(radix, static_cast<int>(full))) - 1;
            REQUIRE(p.rounds == ceil_log(radix, size));
            REQUIRE(p.sent_messages == messages);
            REQUIRE(p.sent_blocks == size - 1);
        }
}

TEST_CASE("with 5 ranks a binomial scatter from rank 3 serves the furthest subtree first",
          "[schedule][scatter][fnomial]") {
    CHECK(testing::schedule_text(5, 3, testing::factory_of<fnomial, collective::scatter>())
          == "0.1: recv 3 [0..1]\n"
             "0.2: send 1 [1]\n"
             "1.2: recv 0 [1]\n"
             "2.0: recv 3 [2]\n"
             "3.0: send 2 [2]\n"
             "3.1: send 0 [0..1]\n"
             "3.2: send 4 [4]\n"
             "4.2: recv 3 [4]\n");
}

TEST_CASE("an f-nomial scatter refuses segments", "[schedule][scatter][fnomial]") {
    CHECK_THROWS_AS(generate(of<collective::scatter>, fnomial{2, 2}, place{0, 4, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::scatter>, fnomial{1}, place{0, 4, 0}), argument_error);
}

TEST_CASE("what a subtree of an f-nomial scatter has may be more than 32 bits count",
          "[schedule][scatter][fnomial]") {
    support::check_long_subtrees(testing::factory_of<fnomial, collective::scatter>());
}
