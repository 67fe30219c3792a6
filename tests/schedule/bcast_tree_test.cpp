// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast/tree.hpp>

#include <algorithm>
#include <vector>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a serial broadcast is proved for every size and root", "[schedule][bcast][serial]") {
    testing::prove_up_to<collective::bcast>(40, serial{});
}

TEST_CASE("a serial broadcast is p - 1 messages of the root in one round", "[schedule][bcast][serial]") {
    const auto claims = generate(of<collective::bcast>, serial{}, {3, 17, 5}).claims();
    CHECK(claims.rounds == 1);
    CHECK(claims.sent_blocks == 16);
    CHECK(claims.max_outstanding == 16);
}

TEST_CASE("a chain broadcast is proved for every size, root and number of segments",
          "[schedule][bcast][chain]") {
    const block_index segments = GENERATE(1, 2, 5, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::bcast>(segments > 5 ? 20 : 40, chain{segments});
}

TEST_CASE("a chain broadcast of S segments takes p - 2 + S rounds", "[schedule][bcast][chain]") {
    CHECK(generate(of<collective::bcast>, chain{8}, {3, 17, 5}).rounds() == 23);
    CHECK(generate(of<collective::bcast>, chain{8}, {0, 1, 0}).rounds() == 0);
}

TEST_CASE("a chain broadcast refuses less than one segment", "[schedule][bcast][chain]") {
    CHECK_THROWS_AS(generate(of<collective::bcast>, chain{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::bcast>, chain{1}, place{0, 2, 2}), argument_error);
}

TEST_CASE("a k-ary broadcast is proved for every size, root, arity and number of segments",
          "[schedule][bcast][kary]") {
    const rank_type arity = GENERATE(1, 2, 3, 4, 5, 50);
    const block_index segments = GENERATE(1, 3);
    CAPTURE(arity, segments);
    testing::prove_up_to<collective::bcast>(40, kary{arity, segments});
}

TEST_CASE("a k-ary broadcast refuses an arity below 1", "[schedule][bcast][kary]") {
    CHECK_THROWS_AS(generate(of<collective::bcast>, kary{0, 1}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::bcast>, kary{2, 0}, place{0, 2, 0}), argument_error);
}

TEST_CASE("an f-nomial broadcast is proved for every size, root, radix and number of segments",
          "[schedule][bcast][fnomial]") {
    const rank_type radix = GENERATE(2, 3, 4, 5, 6, 7, 8, 9);
    const block_index segments = GENERATE(1, 4);
    CAPTURE(radix, segments);
    testing::prove_up_to<collective::bcast>(40, fnomial{radix, segments});
}

TEST_CASE("a binomial broadcast halves the distance between the ranks it has reached in every round",
          "[schedule][bcast][fnomial]") {
    std::vector<bool> reached(23, false);
    reached[5] = true;
    for (round_index i = 0; i < 5; ++i) {
        std::vector<bool> now = reached;
        for (rank_type r = 0; r < 23; ++r)
            generate(of<collective::bcast>, fnomial{}, {r, 23, 5}).emit(i, [&](const step& s) {
                if (s.kind != step_kind::send) return;
                REQUIRE(reached[static_cast<std::size_t>(r)]);
                now[static_cast<std::size_t>(s.peer)] = true;
            });
        reached = now;
        // Of 23 relative ranks those that are multiples of 16, 8, 4, 2, 1.
        CHECK(std::count(reached.begin(), reached.end(), true) == ceil_div(23, 16 >> i));
    }
}

TEST_CASE("a binary tree broadcast is proved for every size, root and number of segments",
          "[schedule][bcast][binary_tree]") {
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(segments);
    testing::prove_up_to<collective::bcast>(40, binary_tree{segments});
}

TEST_CASE("a two-tree broadcast is proved for every size, root and number of segments",
          "[schedule][bcast][two_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 7);
    CAPTURE(segments);
    testing::prove_up_to<collective::bcast>(40, two_tree{segments});
}

TEST_CASE("the figures of a two-tree broadcast hold for every size", "[schedule][bcast][two_tree]") {
    for (const rank_type size : {64, 65, 70, 96, 97, 127, 128, 129, 255, 256, 257, 300})
        for (const block_index segments : {1, 2, 3})
            testing::check_proved(collective::bcast, size, size / 3,
                                  testing::factory_of<two_tree, collective::bcast>({segments}));
}

TEST_CASE("a two-tree broadcast sends a rank no more than its vector", "[schedule][bcast][two_tree]") {
    // Two children in one tree, half a vector each; the root one child in each tree.
    const auto claims = generate(of<collective::bcast>, two_tree{4}, {0, 100, 0}).claims();
    CHECK(claims.sent_blocks == 8);
    CHECK(generate(of<collective::bcast>, two_tree{4}, {0, 100, 0}).blocks() == 8);
    CHECK(claims.rounds == 6 + 4);
}
