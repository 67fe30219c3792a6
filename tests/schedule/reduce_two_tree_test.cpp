// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_two_tree.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a two-tree reduction is proved for every size, root and number of segments",
          "[schedule][reduce][two_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 7);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(40, two_tree{segments});
}

TEST_CASE("a two-tree reduction keeps the order for the first and the last rank as root",
          "[schedule][reduce][two_tree]") {
    CHECK(generate(of<collective::reduce>, two_tree{}, {3, 20, 0}).claims().order_preserving);
    CHECK(generate(of<collective::reduce>, two_tree{}, {3, 20, 19}).claims().order_preserving);
    CHECK_FALSE(generate(of<collective::reduce>, two_tree{}, {3, 20, 7}).claims().order_preserving);
}
