// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_serial.hpp>

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
