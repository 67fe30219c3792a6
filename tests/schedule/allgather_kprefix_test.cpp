// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/kprefix.hpp>

#include <limits>
#include <set>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory make(rank_type k) { return factory_of<kprefix, collective::allgather>({.k = k}); }
} // namespace

TEST_CASE("allgather kprefix is proved for any size and any power of two", "[schedule][allgather][kprefix]") {
    for (const rank_type k : {1, 2, 4, 8, 16, 32, 64, 128, 1024}) {
        CAPTURE(k);
        prove_up_to<collective::allgather>(70, kprefix{.k = k});
        for (const rank_type size : {96, 127, 128, 129, 255, 257})
            check_proved(collective::allgather, size, 0, make(k));
    }
}

TEST_CASE("equation 9: (P-1)(alpha + m beta) + (P/k) m delta for multiples of k",
          "[schedule][allgather][kprefix][formulas]") {
    for (const rank_type k : {2, 4, 8, 16})
        for (rank_type size = k; size <= 70; size += k) {
            const proof p = check_proved(collective::allgather, size, 0, make(k));
            CHECK(p.rounds == size - 1);
            CHECK(p.critical_messages == size - 1);
            CHECK(p.critical_sent == size - 1);
            CHECK(p.sent_blocks == p.bounds.sent_blocks);
            CHECK(multicast_blocks(all_ranks(size, make(k))) == static_cast<std::size_t>(size / k));
        }
}

TEST_CASE("allgather kprefix for other sizes has the rounds of the next multiple of k, one message each way",
          "[schedule][allgather][kprefix][formulas]") {
    for (const rank_type k : {2, 4, 8, 16})
        for (rank_type size = k + 1; size <= 70; ++size) {
            const proof p = check_proved(collective::allgather, size, 0, make(k));
            CHECK(p.rounds == ceil_div(size, k) * k - 1);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.max_outstanding == 2);
            CHECK(p.received_blocks == size - 1);
            CHECK(p.sent_blocks == p.rounds);
            CHECK(multicast_blocks(all_ranks(size, make(k))) == static_cast<std::size_t>(ceil_div(size, k)));
        }
}

TEST_CASE("allgather kprefix: k - 1 prefix exchanges inside the partition, then k ahead",
          "[schedule][allgather][kprefix]") {
    for (const rank_type k : {2, 4, 8}) {
        const rank_type size = 5 * k;
        const auto ranks = all_ranks(size, make(k));
        for (round_index i = 0; i < size - 1; ++i) {
            const auto messages = one_block_round(ranks, i);
            REQUIRE(messages);
            CHECK(messages->size() == ranks.size());
            for (const carried& m : *messages) {
                if (i % k < k - 1)
                    CHECK((m.from ^ m.to) == i % k + 1);
                else
                    CHECK(m.to == (m.from + k) % size);
                CHECK(m.block == mod(m.from - static_cast<rank_type>(i / k) * k, size));
            }
        }
    }
}

TEST_CASE("every message of allgather kprefix goes to the lane that the round says, for any size",
          "[schedule][allgather][kprefix]") {
    for (const rank_type k : {2, 4, 8, 16})
        for (rank_type size = 2; size <= 70; ++size) {
            const auto ranks = all_ranks(size, make(k));
            for (round_index i = 0; i < ranks[0].rounds(); ++i) {
                const auto messages = one_block_round(ranks, i);
                REQUIRE(messages);
                std::set<rank_type> receivers;
                for (const carried& m : *messages) {
                    REQUIRE((m.to % k) == (i % k < k - 1 ? (m.from % k) ^ (i % k + 1) : m.from % k));
                    REQUIRE(receivers.insert(m.to).second);
                }
            }
        }
}

TEST_CASE("allgather kprefix with fewer than k ranks is prefix_send in as few rounds",
          "[schedule][allgather][kprefix]") {
    for (const rank_type k : {8, 64, rank_type{1} << 30}) {
        CHECK(allgather_kprefix({.rank = 0, .size = 5}, k).rounds() == 7);
        CHECK(allgather_kprefix({.rank = 0, .size = 1}, k).rounds() == 0);
    }
}

TEST_CASE("allgather kprefix on 5 ranks, k = 4: ranks 1, 2, 3 are deputies for what rank 4's partition lacks",
          "[schedule][allgather][kprefix]") {
    CHECK(schedule_text(5, 0, make(4))
          == "0.0: send 1 [0]; recv 1 [1]\n"
             "0.1: send 2 [0]; recv 2 [2]\n"
             "0.2: send 3 [0]; recv 3 [3]\n"
             "0.3: send 4 [0]; recv 4 [4]\n"
             "0.4: send 1 [4]\n"
             "0.5: send 2 [4]\n"
             "0.6: send 3 [4]\n"
             "1.0: send 0 [1]; recv 0 [0]\n"
             "1.1: send 3 [1]; recv 3 [3]\n"
             "1.2: send 2 [1]; recv 2 [2]\n"
             "1.4: send 4 [1]; recv 0 [4]\n"
             "2.0: send 3 [2]; recv 3 [3]\n"
             "2.1: send 0 [2]; recv 0 [0]\n"
             "2.2: send 1 [2]; recv 1 [1]\n"
             "2.5: send 4 [2]; recv 0 [4]\n"
             "3.0: send 2 [3]; recv 2 [2]\n"
             "3.1: send 1 [3]; recv 1 [1]\n"
             "3.2: send 0 [3]; recv 0 [0]\n"
             "3.6: send 4 [3]; recv 0 [4]\n"
             "4.3: send 0 [4]; recv 0 [0]\n"
             "4.4: recv 1 [1]\n"
             "4.5: recv 2 [2]\n"
             "4.6: recv 3 [3]\n");
}

TEST_CASE("allgather kprefix refuses a k that is no power of two", "[schedule][allgather][kprefix]") {
    for (const rank_type k :
         {0, -1, -8, 3, 6, 100, std::numeric_limits<rank_type>::max(), std::numeric_limits<rank_type>::min()})
        CHECK_THROWS_AS(allgather_kprefix({}, k), argument_error);
}
