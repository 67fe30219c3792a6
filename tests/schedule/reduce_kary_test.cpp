// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_kary.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a k-ary reduction is proved for every size, root, arity and number of segments",
          "[schedule][reduce][kary]") {
    const rank_type arity = GENERATE(1, 2, 3, 4, 5, 50);
    const block_index segments = GENERATE(1, 3);
    CAPTURE(arity, segments);
    testing::prove_up_to<collective::reduce>(40, kary{arity, segments});
}
