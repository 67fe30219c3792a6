// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/exscan/two_tree.hpp>

#include "support/catch2.hpp"
#include "support/scans.hpp"

using namespace tutti;

TEST_CASE("two trees scan exclusively for every size and number of segments, in order, and their claims are "
          "exact",
          "[schedule][exscan][two_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16);
    CAPTURE(segments);
    testing::check_tree_scan<collective::exscan>(two_tree{segments});
}

TEST_CASE("an exscan of S segments along two trees takes 2 floor(lg(p + 1)) + S - 1 rounds; nobody sends or "
          "folds more than 2 vectors",
          "[schedule][exscan][two_tree]") {
    testing::for_each_segmented<collective::exscan, two_tree>(
        [](const proof& p, rank_type size, block_index segments) {
            CHECK(p.rounds == 2 * floor_log2(size + 1) + segments - 1);
            CHECK(p.sent_blocks == segments * (size < 3 ? 2 : size < 7 ? 3 : 4));
            CHECK(p.reduced_blocks == segments * (size < 3 ? 0 : size < 4 ? 1 : size < 7 ? 3 : 4));
            CHECK(p.scratch_blocks == segments * (size < 3 ? 0 : size < 4 ? 1 : 2));
        });
}

TEST_CASE("5 ranks of two trees, without their own", "[schedule][exscan][two_tree]") {
    CHECK(
        testing::schedule_text(5, 0, testing::factory_of<two_tree, collective::exscan>({1}))
        == "0.0: send 1 [0]; copy [1]; fold right 1 [1]\n"
           "0.1: send 2 [1]\n"
           "0.3: send 1 [1]\n"
           "1.0: copy [0]; copy [0]; recv 0 [0]; fold left [0]; fold left [0]; fold right 2 [0]; send 0 [1]\n"
           "1.1: send 3 [0]\n"
           "1.3: send 2 [0]; recv 0 [1]\n"
           "2.0: send 1 [0]\n"
           "2.1: copy [1]; recv 0 [1]; fold left [1]\n"
           "2.2: send 4 [1]\n"
           "2.3: recv 1 [0]\n"
           "3.0: send 4 [1]\n"
           "3.1: copy [0]; recv 1 [0]; fold left [0]\n"
           "3.2: send 4 [0]\n"
           "3.3: recv 4 [1]\n"
           "4.0: recv 3 [1]\n"
           "4.2: recv 3 [0]; recv 2 [1]; fold left [1]\n"
           "4.3: send 3 [1]\n");
}

TEST_CASE("two trees scan exclusively with as many segments per half as are asked for, at least one",
          "[schedule][exscan][two_tree]") {
    CHECK(generate(of<collective::exscan>, two_tree{}, place{3, 20, 0}).blocks() == 8);
    CHECK_THROWS_AS(generate(of<collective::exscan>, two_tree{0}, place{0, 2, 0}), argument_error);
}
