// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_chain.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a chain reduction is proved for every size, root and number of segments",
          "[schedule][reduce][chain]") {
    const block_index segments = GENERATE(1, 2, 5, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(segments > 5 ? 20 : 40, chain{segments});
}
