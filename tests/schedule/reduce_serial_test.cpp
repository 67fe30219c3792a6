// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_serial.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a serial reduction is proved for every size and root, in order", "[schedule][reduce][serial]") {
    testing::prove_up_to<collective::reduce>(40, serial{});
    CHECK(generate(of<collective::reduce>, serial{}, {0, 40, 17}).claims().order_preserving);
}

TEST_CASE("Moody 5.1: a serial reduction is one round in which the root folds P - 1 messages",
          "[schedule][reduce][serial]") {
    // T_serial(P) = C + L + (P - 1) (r + c)
    for (rank_type size = 2; size <= 40; ++size) {
        const proof p = testing::check_proved(collective::reduce, size, 0,
                                              testing::factory_of<serial, collective::reduce>());
        CHECK(p.rounds == 1);
        CHECK(p.received_messages == size - 1);
        CHECK(p.reduced_blocks == size - 1);
    }
}
