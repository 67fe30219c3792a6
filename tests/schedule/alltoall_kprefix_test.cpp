// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/kprefix.hpp>

#include <limits>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory make(rank_type k) { return factory_of<kprefix, collective::alltoall>({.k = k}); }
} // namespace

TEST_CASE("alltoall kprefix takes the rounds of the next multiple of k, one message each way",
          "[schedule][alltoall][kprefix][formulas]") {
    for (const rank_type k : {2, 4, 8, 16})
        for (rank_type size = k; size <= 70; ++size) {
            const proof p = check_proved(collective::alltoall, size, 0, make(k));
            CHECK(p.rounds == ceil_div(size, k) * k - 1);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_messages == size - 1);
            CHECK(p.max_outstanding == 2);
        }
}

TEST_CASE("alltoall kprefix goes s partitions ahead, to the lane that the round says",
          "[schedule][alltoall][kprefix]") {
    for (const rank_type k : {2, 4, 8, 16})
        for (rank_type size = k + 1; size <= 70; ++size) {
            const rank_type partitions = ceil_div(size, k);
            const auto ranks = all_ranks(size, make(k));
            for (round_index i = 0; i < ranks[0].rounds(); ++i) {
                const auto messages = one_block_round(ranks, i);
                REQUIRE(messages);
                for (const carried& m : *messages) {
                    REQUIRE(mod(m.to / k - m.from / k, partitions) == (i + 1) / k);
                    REQUIRE(((m.to % k) ^ (m.from % k)) == (i + 1) % k);
                    REQUIRE(m.block == m.to);
                }
            }
        }
}

TEST_CASE("alltoall kprefix on 3 ranks, k = 2", "[schedule][alltoall][kprefix]") {
    CHECK(schedule_text(3, 0, make(2))
          == "0.0: copy [0]; send 1 [1]; recv 1 [1]\n"
             "0.1: send 2 [2]; recv 2 [2]\n"
             "1.0: copy [1]; send 0 [0]; recv 0 [0]\n"
             "1.2: send 2 [2]; recv 2 [2]\n"
             "2.0: copy [2]\n"
             "2.1: send 0 [0]; recv 0 [0]\n"
             "2.2: send 1 [1]; recv 1 [1]\n");
}

TEST_CASE("alltoall kprefix refuses a k that is no power of two", "[schedule][alltoall][kprefix]") {
    for (const rank_type k : {0, -8, 3, 100, std::numeric_limits<rank_type>::max()})
        CHECK_THROWS_AS(make(k)({}), argument_error);
}
