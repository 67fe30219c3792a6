// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_kary.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

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
