// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/prefix_send.hpp>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<prefix_send, collective::alltoall>();
}

TEST_CASE("alltoall prefix_send takes 2^ceil(lg p) - 1 rounds, one message each way",
          "[schedule][alltoall][prefix_send][formulas]") {
    for (rank_type size = 2; size <= 70; ++size) {
        const proof p = check_proved(collective::alltoall, size, 0, make);
        CHECK(p.rounds == (std::int64_t{1} << ceil_log2(size)) - 1);
        CHECK(p.critical_messages == p.rounds); // no round without a message
        CHECK(p.sent_messages == size - 1);
        CHECK(p.max_outstanding == 2);
    }
}

TEST_CASE("alltoall prefix_send sends rank xor j its block in round j, counted from 1",
          "[schedule][alltoall][prefix_send]") {
    check_rank_xor_round(make, &carried::to);
}

TEST_CASE("alltoall prefix_send on 3 ranks", "[schedule][alltoall][prefix_send]") {
    CHECK(schedule_text(3, 0, make)
          == "0.0: copy [0]; send 1 [1]; recv 1 [1]\n"
             "0.1: send 2 [2]; recv 2 [2]\n"
             "1.0: copy [1]; send 0 [0]; recv 0 [0]\n"
             "1.2: send 2 [2]; recv 2 [2]\n"
             "2.0: copy [2]\n"
             "2.1: send 0 [0]; recv 0 [0]\n"
             "2.2: send 1 [1]; recv 1 [1]\n");
}
