// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/prefix_send.hpp>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<prefix_send, collective::allgather>();
}

TEST_CASE("allgather prefix_send is proved for any size", "[schedule][allgather][prefix_send]") {
    prove_up_to<collective::allgather>(70, prefix_send{});
    for (const rank_type size : {96, 127, 128, 129, 255, 257})
        check_proved(collective::allgather, size, 0, make);
}

TEST_CASE("equation 8: (P-1)(alpha + m beta) + m delta for a power of two; else only more rounds",
          "[schedule][allgather][prefix_send][formulas]") {
    for (rank_type size = 2; size <= 70; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        const std::int64_t next_power = std::int64_t{1} << ceil_log2(size);
        CHECK(p.rounds == next_power - 1);
        CHECK(p.critical_messages == p.rounds); // no round without a message
        CHECK(p.critical_sent == p.rounds);
        CHECK(p.sent_messages == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(multicast_blocks(all_ranks(size, make)) == 1);
    }
}

TEST_CASE("allgather prefix_send exchanges with rank xor j in round j, counted from 1",
          "[schedule][allgather][prefix_send]") {
    check_rank_xor_round(make, &carried::from);
}

TEST_CASE("allgather prefix_send on 3 ranks", "[schedule][allgather][prefix_send]") {
    CHECK(schedule_text(3, 0, make)
          == "0.0: send 1 [0]; recv 1 [1]\n"
             "0.1: send 2 [0]; recv 2 [2]\n"
             "1.0: send 0 [1]; recv 0 [0]\n"
             "1.2: send 2 [1]; recv 2 [2]\n"
             "2.1: send 0 [2]; recv 0 [0]\n"
             "2.2: send 1 [2]; recv 1 [1]\n");
}
