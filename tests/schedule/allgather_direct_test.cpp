// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/direct.hpp>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<direct, collective::allgather>();
}

TEST_CASE("allgather direct is proved for any size", "[schedule][allgather][direct]") {
    prove_up_to<collective::allgather>(70, direct{});
    for (const rank_type size : {96, 127, 128, 129, 255, 257})
        check_proved(collective::allgather, size, 0, make);
}

TEST_CASE("equation 2: (P-1) alpha + (P-1) m beta", "[schedule][allgather][direct][formulas]") {
    for (rank_type size = 2; size <= 70; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == size - 1);
        CHECK(p.critical_messages == size - 1);
        CHECK(p.critical_sent == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(multicast_blocks(all_ranks(size, make)) == 1);
    }
}

TEST_CASE("allgather direct is a cyclic shift in every round, one further each time",
          "[schedule][allgather][direct]") {
    for (const rank_type size : {2, 5, 16, 33}) {
        const auto ranks = all_ranks(size, make);
        for (rank_type i = 0; i < size - 1; ++i) CHECK(cyclic_shift(ranks, i) == i + 1);
    }
}

TEST_CASE("allgather direct on 3 ranks", "[schedule][allgather][direct]") {
    CHECK(schedule_text(3, 0, make)
          == "0.0: send 1 [0]; recv 2 [2]\n"
             "0.1: send 2 [0]; recv 1 [1]\n"
             "1.0: send 2 [1]; recv 0 [0]\n"
             "1.1: send 0 [1]; recv 2 [2]\n"
             "2.0: send 0 [2]; recv 1 [1]\n"
             "2.1: send 1 [2]; recv 0 [0]\n");
}

TEST_CASE("allgather direct refuses a place that is none", "[schedule][allgather][direct]") {
    CHECK_THROWS_AS(allgather_direct({.rank = 3, .size = 3}), argument_error);
}
