// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scan/chain.hpp>

#include "support/catch2.hpp"
#include "support/scans.hpp"

using namespace tutti;

TEST_CASE("a chain scans inclusively for every size and number of segments, in order",
          "[schedule][scan][chain]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 7, 8, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::scan>(70, chain{segments});
}

TEST_CASE(
    "a scan of S segments along a chain takes p - 2 + S rounds, sends and folds one vector, and needs no "
    "scratch",
    "[schedule][scan][chain]") {
    testing::for_each_segmented<collective::scan, chain>(
        [](const proof& p, rank_type size, block_index segments) {
            CHECK(p.rounds == size - 2 + segments);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_blocks == segments);
            CHECK(p.reduced_blocks == segments);
            CHECK(p.scratch_blocks == 0);
            CHECK_FALSE(p.reads_input);
        });
}

TEST_CASE("two segments along a chain of 3 ranks, each rank's own with them", "[schedule][scan][chain]") {
    CHECK(testing::schedule_text(3, 0, testing::factory_of<chain, collective::scan>({2}))
          == "0.0: send 1 [0]\n"
             "0.1: send 1 [1]\n"
             "1.0: fold left 0 [0]\n"
             "1.1: send 2 [0]; fold left 0 [1]\n"
             "1.2: send 2 [1]\n"
             "2.1: fold left 1 [0]\n"
             "2.2: fold left 1 [1]\n");
}

TEST_CASE("a rank of an inclusive chain has something to do in exactly its active rounds",
          "[schedule][scan][chain]") {
    testing::check_active_rounds<collective::scan, chain>(20, testing::pauses::none);
}

TEST_CASE("a scan along a chain refuses less than one segment", "[schedule][scan][chain]") {
    CHECK_THROWS_AS(generate(of<collective::scan>, chain{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::scan>, chain{1}, place{2, 2, 0}), argument_error);
}

static_assert(generate(of<collective::scan>, chain{9}, {3, 1000, 0}).rounds() == 1007);
