// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scatter/serial.hpp>

#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a serial scatter is proved for every size and root", "[schedule][scatter][serial]") {
    testing::prove_up_to<collective::scatter>(70, serial{});
}

TEST_CASE("a serial scatter is one round in which the root sends p - 1 blocks, the least",
          "[schedule][scatter][serial]") {
    const auto make = testing::factory_of<serial, collective::scatter>();
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const proof p = testing::check_proved(collective::scatter, size, size / 3, make);
        CHECK(p.rounds == 1);
        CHECK(p.sent_messages == size - 1);
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.received_blocks == 1);
    }
}

TEST_CASE("with 5 ranks root 3 sends to 2, 1, 0, 4", "[schedule][scatter][serial]") {
    CHECK(testing::schedule_text(5, 3, testing::factory_of<serial, collective::scatter>())
          == "0.0: recv 3 [0]\n"
             "1.0: recv 3 [1]\n"
             "2.0: recv 3 [2]\n"
             "3.0: send 2 [2]; send 1 [1]; send 0 [0]; send 4 [4]\n"
             "4.0: recv 3 [4]\n");
}

static_assert(generate(of<collective::scatter>, serial{}, {3, 2147483647, 0}).claims().sent_blocks
              == 2147483646);
