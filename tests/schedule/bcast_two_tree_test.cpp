// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_two_tree.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

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
