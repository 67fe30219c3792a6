// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/swing.hpp>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<swing, collective::allgather>();
}

TEST_CASE("allgather swing is proved for any size", "[schedule][allgather][swing]") {
    prove_up_to<collective::allgather>(70, swing{});
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, make);
}

TEST_CASE("allgather swing reaches both lower bounds for a power of two", "[schedule][allgather][swing]") {
    for (rank_type size = 1; size <= 256; size *= 2) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.critical_sent == size - 1);
    }
}

TEST_CASE("allgather swing has one round more than the least if p is not a power of two",
          "[schedule][allgather][swing]") {
    for (rank_type size = 3; size <= 129; ++size) {
        if (floor_pow2(size) == size) continue;
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == p.bounds.rounds + 1);
        CHECK(p.sent_blocks == swing_exchanges::sent(survivors(size)) + size - 1);
        CHECK(p.received_blocks == size - 1); // nothing twice
    }
}

TEST_CASE("in the last exchange of allgather swing half the vector goes to the nearest rank",
          "[schedule][allgather][swing]") {
    for (const rank_type size : {8, 64})
        for (rank_type r = 0; r < size; ++r) {
            block_index sent = 0;
            make({r, size, 0}).emit(ceil_log2(size) - 1, [&](const step& s) {
                CHECK(s.peer == (r ^ 1));
                if (s.kind == step_kind::send) sent += s.blocks.count;
            });
            CHECK(sent == size / 2);
        }
}

TEST_CASE("the example of allgather swing", "[schedule][allgather][swing]") {
    CHECK(exchange_text(5, 0, make)
          == "0: recv 1 [1]\n"
             "1: send 4 [0 1], recv 4 [4]\n"
             "2: send 2 [0 1 4], recv 2 [2 3]\n"
             "3: send 1 [2 3 4 0]");
    CHECK(exchange_text(8, 0, make)
          == "0: send 3 [0], recv 3 [3]\n"
             "1: send 7 [0 3], recv 7 [7 4]\n"
             "2: send 1 [0 4 3 7], recv 1 [1 5 2 6]");
}
