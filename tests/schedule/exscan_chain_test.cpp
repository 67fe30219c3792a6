// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/exscan/chain.hpp>

#include <type_traits>

#include "support/catch2.hpp"
#include "support/scans.hpp"

using namespace tutti;

TEST_CASE("a chain scans for every size and number of segments, in order", "[schedule][exscan][chain]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 7, 8, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::exscan>(70, chain{segments});
}

TEST_CASE("an exscan of S segments along a chain takes p - 2 + S rounds and sends and folds one vector",
          "[schedule][exscan][chain]") {
    testing::for_each_segmented<collective::exscan, chain>(
        [](const proof& p, rank_type size, block_index segments) {
            CHECK(p.rounds == size - 2 + segments);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_blocks == segments);
            CHECK(p.reduced_blocks == (size > 2 ? segments : 0));
            CHECK(p.scratch_blocks == (size > 2 ? segments : 0));
            CHECK_FALSE(p.reads_input);
        });
}

TEST_CASE("two segments along a chain of 4 ranks", "[schedule][exscan][chain]") {
    CHECK(testing::schedule_text(4, 0, testing::factory_of<chain, collective::exscan>({2}))
          == "0.0: send 1 [0]\n"
             "0.1: send 1 [1]\n"
             "1.0: copy [0]; recv 0 [0]; fold left [0]\n"
             "1.1: send 2 [0]; copy [1]; recv 0 [1]; fold left [1]\n"
             "1.2: send 2 [1]\n"
             "2.1: copy [0]; recv 1 [0]; fold left [0]\n"
             "2.2: send 3 [0]; copy [1]; recv 1 [1]; fold left [1]\n"
             "2.3: send 3 [1]\n"
             "3.2: recv 2 [0]\n"
             "3.3: recv 2 [1]\n");
}

TEST_CASE("a rank of a chain has something to do in exactly its active rounds", "[schedule][exscan][chain]") {
    testing::check_active_rounds<collective::exscan, chain>(20, testing::pauses::none);
}

TEST_CASE("an exscan along a chain refuses less than one segment", "[schedule][exscan][chain]") {
    CHECK_THROWS_AS(generate(of<collective::exscan>, chain{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::exscan>, chain{1}, place{2, 2, 0}), argument_error);
}

static_assert(generator<chain_scan>);
static_assert(generate(of<collective::exscan>, chain{9}, {3, 1000, 0}).rounds() == 1007);
static_assert(std::is_trivially_copyable_v<chain_scan>, "a generator owns no memory");
