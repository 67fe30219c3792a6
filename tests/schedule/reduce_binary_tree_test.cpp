// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_binary_tree.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a binary tree reduction is proved for every size, root and number of segments, in order",
          "[schedule][reduce][binary_tree]") {
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(40, binary_tree{segments});
    CHECK(generate(of<collective::reduce>, binary_tree{segments}, {0, 40, 17}).claims().order_preserving);
}
