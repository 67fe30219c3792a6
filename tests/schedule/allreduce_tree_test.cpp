// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/tree.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a serial allreduce is proved for every size", "[schedule][allreduce][serial]") {
    testing::prove_up_to<collective::allreduce>(70, serial{});
}

TEST_CASE("a k-ary allreduce is proved for every size, arity and number of segments",
          "[schedule][allreduce][kary]") {
    const rank_type arity = GENERATE(1, 2, 3, 4, 5, 90);
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(arity, segments);
    testing::prove_up_to<collective::allreduce>(70, kary{arity, segments});
}

TEST_CASE("an f-nomial allreduce is proved for every size, radix and number of segments",
          "[schedule][allreduce][fnomial]") {
    const rank_type radix = GENERATE(2, 3, 4, 5, 6, 7, 8, 9);
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(radix, segments);
    testing::prove_up_to<collective::allreduce>(70, fnomial{radix, segments});
}

TEST_CASE("a binary tree allreduce is proved for every size and number of segments",
          "[schedule][allreduce][binary_tree]") {
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(segments);
    testing::prove_up_to<collective::allreduce>(70, binary_tree{segments});
}

TEST_CASE("a two-tree allreduce is proved for every size and number of segments",
          "[schedule][allreduce][two_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 7);
    CAPTURE(segments);
    testing::prove_up_to<collective::allreduce>(70, two_tree{segments});
}

TEST_CASE("the tree of an allreduce does not depend on the place's root", "[schedule][allreduce][tree]") {
    for (rank_type root = 0; root < 5; ++root)
        CHECK(testing::schedule_text(5, root, testing::factory_of<binary_tree, collective::allreduce>())
              == testing::schedule_text(5, 0, testing::factory_of<binary_tree, collective::allreduce>()));
}

TEST_CASE("an f-nomial allreduce goes up the tree and down again", "[schedule][allreduce][fnomial]") {
    CHECK(testing::schedule_text(3, 0, testing::factory_of<fnomial, collective::allreduce>({2, 1}))
          == "0.0: fold right 1 [0]\n"
             "0.1: fold right 2 [0]\n"
             "0.2: send 2 [0]\n"
             "0.3: send 1 [0]\n"
             "1.0: send 0 [0]\n"
             "1.3: recv 0 [0]\n"
             "2.1: send 0 [0]\n"
             "2.2: recv 0 [0]\n");
}

TEST_CASE("trees that keep the order do so in an allreduce", "[schedule][allreduce][tree]") {
    CHECK(generate(of<collective::allreduce>, serial{}, {1, 23, 0}).claims().order_preserving);
    CHECK(generate(of<collective::allreduce>, fnomial{3, 1}, {1, 23, 0}).claims().order_preserving);
    CHECK(generate(of<collective::allreduce>, binary_tree{}, {1, 23, 0}).claims().order_preserving);
    CHECK(generate(of<collective::allreduce>, two_tree{}, {1, 23, 0}).claims().order_preserving);
    CHECK_FALSE(generate(of<collective::allreduce>, kary{2, 1}, {1, 23, 0}).claims().order_preserving);
}
