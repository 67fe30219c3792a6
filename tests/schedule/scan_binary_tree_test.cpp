// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scan/binary_tree.hpp>

#include <type_traits>

#include "support/catch2.hpp"
#include "support/scans.hpp"

using namespace tutti;

TEST_CASE("an in-order tree scans for every size and number of segments, in order, and its claims are exact",
          "[schedule][scan][binary_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 5, 6, 7, 16);
    CAPTURE(segments);
    testing::check_tree_scan<collective::scan>(binary_tree{segments});
}

TEST_CASE("the tree without segments claims exactly what is proved, too", "[schedule][scan][binary_tree]") {
    for (rank_type size = 1; size <= 40; ++size) {
        CAPTURE(size);
        testing::check_scan<collective::scan>(
            size, [](place at) { return any_generator(tree_scan(scan_with::own, at)); });
    }
}

TEST_CASE(
    "a scan of S segments along an in-order tree takes 2 floor(lg p) + S - 1 rounds; nobody sends or folds "
    "more than 3 vectors",
    "[schedule][scan][binary_tree]") {
    testing::for_each_segmented<collective::scan, binary_tree>(
        [](const proof& p, rank_type size, block_index segments) {
            CHECK(p.rounds == 2 * floor_log2(size) + segments - 1);
            CHECK(p.sent_blocks == segments * (size < 6 ? 1 : size < 13 ? 2 : 3));
            CHECK(p.reduced_blocks == segments * (size < 5 ? 1 : size < 13 ? 2 : 3));
        });
}

TEST_CASE("6 ranks of an in-order tree: up to the middle, down to the last",
          "[schedule][scan][binary_tree]") {
    CHECK(testing::schedule_text(6, 0, testing::factory_of<binary_tree, collective::scan>({1}))
          == "0.0: send 1 [0]\n"
             "1.0: fold left 0 [0]; copy [0]; fold right 2 [0]\n"
             "1.1: send 3 [0]\n"
             "1.3: send 2 [0]\n"
             "2.0: send 1 [0]\n"
             "2.3: fold left 1 [0]\n"
             "3.1: fold left 1 [0]\n"
             "3.2: send 5 [0]\n"
             "4.0: send 5 [0]\n"
             "4.3: fold left 5 [0]\n"
             "5.0: fold left 4 [0]\n"
             "5.2: recv 3 [0]; fold left [0]\n"
             "5.3: send 4 [0]\n");
}

TEST_CASE("a rank of a scanning tree has something to do in the first and the last of its active rounds only "
          "within them",
          "[schedule][scan][binary_tree]") {
    testing::check_active_rounds<collective::scan, binary_tree>(40);
}

TEST_CASE("a scan along an in-order tree refuses less than one segment", "[schedule][scan][binary_tree]") {
    CHECK_THROWS_AS(generate(of<collective::scan>, binary_tree{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::scan>, binary_tree{1}, place{2, 2, 0}), argument_error);
}

static_assert(generator<tree_scan>);
static_assert(std::is_trivially_copyable_v<tree_scan>, "a generator owns no memory");

TEST_CASE("rounds of a scan along an in-order tree of many ranks", "[schedule][scan][binary_tree]") {
    CHECK(generate(of<collective::scan>, binary_tree{9}, place{3, 1000, 0}).rounds() == 26);
    CHECK(generate(of<collective::scan>, binary_tree{}, place{0, 2147483647, 0}).rounds() == 60);
}
