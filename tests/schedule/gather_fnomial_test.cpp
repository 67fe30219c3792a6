// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/gather/fnomial.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include "support/long_parts.hpp"
#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("an f-nomial gather is proved for every size, root and radix", "[schedule][gather][fnomial]") {
    testing::prove_up_to<collective::gather>(70, fnomial{});
    const rank_type radix = GENERATE(3, 4, 5, 8, 9);
    CAPTURE(radix);
    testing::prove_up_to<collective::gather>(40, fnomial{radix});
}

TEST_CASE("a binomial gather takes ceil(lg p) rounds, one message each, and the root receives the least",
          "[schedule][gather][fnomial]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        CAPTURE(size);
        const proof p = testing::check_proved(collective::gather, size, size / 2,
                                              testing::factory_of<fnomial, collective::gather>());
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.rounds == p.bounds.rounds);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.received_blocks == size - 1);
        CHECK(p.scratch_blocks == 0);
        CHECK_FALSE(p.moves_blocks);
        // The largest subtree below the root: what the first rank of the last round has gathered, or that of
        // the round before, which is always full.
        const block_index half = floor_pow2(size - 1);
        CHECK(p.sent_blocks == std::max(std::max<block_index>(half / 2, 1), std::min(half, size - half)));
    }
}

TEST_CASE("rounds and messages of an f-nomial gather are those of the f-nomial reduction",
          "[schedule][gather][fnomial]") {
    for (rank_type radix = 2; radix <= 9; ++radix)
        for (rank_type size = 2; size <= 130; ++size) {
            CAPTURE(radix, size);
            const proof p = testing::check_proved(collective::gather, size, 0,
                                                  testing::factory_of<fnomial, collective::gather>({radix}));
            const std::int64_t full = floor_log(radix, size);
            const std::int64_t messages =
                (radix - 1) * full + ceil_div(std::int64_t{size}, power(radix, static_cast<int>(full))) - 1;
            REQUIRE(p.rounds == ceil_log(radix, size));
            REQUIRE(p.received_messages == messages);
            REQUIRE(p.received_blocks == size - 1);
        }
}

TEST_CASE("with 5 ranks a binomial gather to rank 3 brings subtrees of 1, 2 and 1 ranks",
          "[schedule][gather][fnomial]") {
    CHECK(testing::schedule_text(5, 3, testing::factory_of<fnomial, collective::gather>())
          == "0.0: recv 1 [1]\n"
             "0.1: send 3 [0..1]\n"
             "1.0: send 0 [1]\n"
             "2.2: send 3 [2]\n"
             "3.0: recv 4 [4]\n"
             "3.1: recv 0 [0..1]\n"
             "3.2: recv 2 [2]\n"
             "4.0: send 3 [4]\n");
}

TEST_CASE("a subtree across the end of the ranks is one message", "[schedule][gather][fnomial]") {
    // Relative ranks 4..7 of root 2 are ranks 6, 7, 0, 1.
    CHECK(testing::schedule_text(8, 2, testing::factory_of<fnomial, collective::gather>())
              .find("6.2: send 2 [6..9]\n")
          != std::string::npos);
}

TEST_CASE("an f-nomial gather refuses a radix below 2, and segments", "[schedule][gather][fnomial]") {
    const auto refused = [](const fnomial& how) {
        return support::error_of([&] { generate(of<collective::gather>, how, {0, 4, 0}); });
    };
    CHECK(refused({.radix = 1}) != "");
    CHECK(refused({.segments = 2}).find("segments") != std::string::npos);
    CHECK(refused({.segments = 0}).find("segments") != std::string::npos);
    CHECK(refused({.radix = 3}).empty());
}

static_assert(generate(of<collective::gather>, fnomial{}, {3, 1 << 30, 0}).rounds() == 30);
static_assert(generate(of<collective::gather>, fnomial{1 << 30}, {5, 2147483647, 9}).rounds() == 2);

TEST_CASE("what a subtree of an f-nomial gather has may be more than 32 bits count",
          "[schedule][gather][fnomial]") {
    support::check_long_subtrees(testing::factory_of<fnomial, collective::gather>());
}
