// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/distance_halving.hpp>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<distance_halving, collective::allgather>();
}

TEST_CASE("allgather distance_halving is proved for any size", "[schedule][allgather][distance_halving]") {
    prove_up_to<collective::allgather>(70, distance_halving{});
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, make);
}

TEST_CASE("allgather distance_halving reaches both lower bounds for a power of two",
          "[schedule][allgather][distance_halving]") {
    for (rank_type size = 1; size <= 256; size *= 2) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.critical_sent == size - 1);
    }
}

TEST_CASE("allgather distance_halving has one round more than the least if p is not a power of two",
          "[schedule][allgather][distance_halving]") {
    for (rank_type size = 3; size <= 129; ++size) {
        if (floor_pow2(size) == size) continue;
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == p.bounds.rounds + 1);
        CHECK(p.sent_blocks == halving_exchanges::sent(survivors(size)) + size - 1);
        CHECK(p.received_blocks == size - 1); // nothing twice
    }
}

TEST_CASE("in the last exchange of allgather distance_halving half the vector goes to the nearest rank",
          "[schedule][allgather][distance_halving]") {
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

TEST_CASE("the example of allgather distance_halving", "[schedule][allgather][distance_halving]") {
    CHECK(exchange_text(5, 0, make)
          == "0: recv 1 [1]\n"
             "1: send 3 [0 1], recv 3 [3]\n"
             "2: send 2 [0 1 3], recv 2 [2 4]\n"
             "3: send 1 [2 3 4 0]");
    CHECK(exchange_text(5, 4, make)
          == "1: send 2 [4], recv 2 [2]\n"
             "2: send 3 [2 4], recv 3 [0 1 3]");
}
