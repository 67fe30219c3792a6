// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_binary_tree.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a binary tree broadcast is proved for every size, root and number of segments",
          "[schedule][bcast][binary_tree]") {
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(segments);
    testing::prove_up_to<collective::bcast>(40, binary_tree{segments});
}
