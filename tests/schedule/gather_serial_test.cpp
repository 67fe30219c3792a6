// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/gather/serial.hpp>

#include <algorithm>
#include <vector>

#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a serial gather is proved for every size and root", "[schedule][gather][serial]") {
    testing::prove_up_to<collective::gather>(70, serial{});
}

TEST_CASE("a serial gather is one round in which the root receives p - 1 messages of one block",
          "[schedule][gather][serial]") {
    const auto make = testing::factory_of<serial, collective::gather>();
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const proof p = testing::check_proved(collective::gather, size, size / 3, make);
        CHECK(p.rounds == 1);
        CHECK(p.received_messages == size - 1);
        CHECK(p.received_blocks == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.scratch_blocks == 0);
    }
}

TEST_CASE("with 5 ranks root 3 receives from 4, 0, 1, 2", "[schedule][gather][serial]") {
    CHECK(testing::schedule_text(5, 3, testing::factory_of<serial, collective::gather>())
          == "0.0: send 3 [0]\n"
             "1.0: send 3 [1]\n"
             "2.0: send 3 [2]\n"
             "3.0: recv 4 [4]; recv 0 [0]; recv 1 [1]; recv 2 [2]\n"
             "4.0: send 3 [4]\n");
}

TEST_CASE("a serial gather hands out its round last first, too", "[schedule][gather][serial]") {
    for (const rank_type rank : {0, 3}) {
        const gather_serial g({rank, 5, 3});
        std::vector<step> forward;
        std::vector<step> backward;
        g.emit(0, [&](const step& s) { forward.push_back(s); });
        g.emit_last_first(0, [&](const step& s) { backward.push_back(s); });
        std::reverse(backward.begin(), backward.end());
        CHECK(forward == backward);
    }
}

TEST_CASE("a gather refuses a place that is none", "[schedule][gather][serial]") {
    CHECK_THROWS_AS(generate(of<collective::gather>, serial{}, place{0, 2, 2}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::gather>, serial{}, place{2, 2, 0}), argument_error);
}
