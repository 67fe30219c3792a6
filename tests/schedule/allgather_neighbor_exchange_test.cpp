// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/neighbor_exchange.hpp>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<neighbor_exchange, collective::allgather>();
}

TEST_CASE("allgather neighbor_exchange is proved for any size", "[schedule][allgather][neighbor_exchange]") {
    prove_up_to<collective::allgather>(70, neighbor_exchange{});
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, make);
}

// Chen, Zhang, Zhang and Yuan 2005: p/2 alpha + (p - 1) m beta.
TEST_CASE("allgather neighbor_exchange has half as many rounds as ranks if their number is even",
          "[schedule][allgather][neighbor_exchange]") {
    for (rank_type size = 2; size <= 70; size += 2) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == size / 2);
        CHECK(p.critical_messages == size / 2);
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.critical_sent == size - 1);
        CHECK(p.max_outstanding == 2);
    }
}

TEST_CASE(
    "allgather neighbor_exchange of an odd number of ranks has half as many rounds, rounded up; the last "
    "rank sends as many messages as there are",
    "[schedule][allgather][neighbor_exchange]") {
    for (rank_type size = 3; size <= 69; size += 2) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == (size + 1) / 2);
        CHECK(p.sent_blocks == (size == 3 ? 2 : size));
        CHECK(p.received_blocks == size - 1); // nothing comes twice
        std::int64_t sent_by_last = 0;
        for (const listed_message& m : messages_of(size, make))
            if (m.rank == size - 1) {
                CHECK(m.round % 2 == 1);
                if (m.kind == step_kind::send) ++sent_by_last;
            }
        CHECK(sent_by_last == p.rounds / 2 * 2);
        // With one message at a time, its odd rounds count twice.
        CHECK(p.critical_messages == p.rounds + p.rounds / 2);
    }
}

TEST_CASE("allgather neighbor_exchange talks to neighbours only, two blocks at a time",
          "[schedule][allgather][neighbor_exchange]") {
    for (rank_type size = 2; size <= 70; ++size)
        for (const listed_message& m : messages_of(size, make)) {
            const rank_type away = mod(m.peer - m.rank, size);
            REQUIRE((away == 1 || away == size - 1));
            REQUIRE(m.blocks.size() <= 2);
        }
}

TEST_CASE("allgather neighbor_exchange of 6 ranks is that of the paper",
          "[schedule][allgather][neighbor_exchange]") {
    CHECK(exchange_text(6, 0, make)
          == "0: send 1 [0], recv 1 [1]\n"
             "1: send 5 [0 1], recv 5 [4 5]\n"
             "2: send 1 [4 5], recv 1 [2 3]");
    CHECK(exchange_text(6, 3, make)
          == "0: send 2 [3], recv 2 [2]\n"
             "1: send 4 [2 3], recv 4 [4 5]\n"
             "2: send 2 [4 5], recv 2 [0 1]");
}

TEST_CASE("allgather neighbor_exchange of 5 ranks is the example of the header",
          "[schedule][allgather][neighbor_exchange]") {
    CHECK(exchange_text(5, 2, make)
          == "0: send 3 [2], recv 3 [3]\n"
             "1: send 1 [2 3], recv 1 [0 1]\n"
             "2: send 3 [0 1], recv 3 [4]");
    CHECK(exchange_text(5, 4, make) == "1: send 3 [4], send 0 [4], recv 3 [2 3], recv 0 [0 1]");
}

TEST_CASE("the last of 3 or 7 ranks gets one block of the last pair from either side",
          "[schedule][allgather][neighbor_exchange]") {
    CHECK(exchange_text(3, 2, make) == "1: send 1 [2], send 0 [2], recv 1 [1], recv 0 [0]");
    CHECK(exchange_text(7, 6, make)
          == "1: send 5 [6], send 0 [6], recv 5 [4 5], recv 0 [0 1]\n"
             "3: send 5 [0 1], send 0 [4 5], recv 5 [3], recv 0 [2]");
}
