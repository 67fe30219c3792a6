// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_chain.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

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
