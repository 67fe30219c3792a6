// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/recursive_doubling.hpp>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<recursive_doubling, collective::allgather>();
}

TEST_CASE("allgather recursive_doubling is proved for any size",
          "[schedule][allgather][recursive_doubling]") {
    prove_up_to<collective::allgather>(70, recursive_doubling{});
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, make);
}

// Thakur and Gropp 2003: lg p alpha + (p - 1) m beta.
TEST_CASE("allgather recursive_doubling reaches both lower bounds for a power of two",
          "[schedule][allgather][recursive_doubling]") {
    reaches_both_bounds_for_powers_of_two(make);
}

TEST_CASE("allgather recursive_doubling has one round more than the least if p is not a power of two",
          "[schedule][allgather][recursive_doubling]") {
    for (rank_type size = 3; size <= 129; ++size) {
        const rank_type power = floor_pow2(size);
        if (power == size) continue;
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == floor_log2(size) + 2);
        CHECK(p.rounds == p.bounds.rounds + 1);
        block_index exchanged = power - 1;
        for (rank_type k = 1; k < power; k *= 2) exchanged += k < size - power ? k : size - power;
        CHECK(p.sent_blocks == exchanged + size - 1);
        CHECK(p.critical_sent == p.sent_blocks + 1); // rank 0 is the busiest in all rounds but the first
    }
}

TEST_CASE("allgather recursive_doubling sends ranges of consecutive blocks",
          "[schedule][allgather][recursive_doubling]") {
    for (rank_type size = 2; size <= 40; ++size)
        for (const listed_message& m : messages_of(size, make))
            for (std::size_t k = 1; k < m.blocks.size(); ++k)
                REQUIRE(m.blocks[k] == (m.blocks[k - 1] + 1) % size);
}

TEST_CASE("allgather recursive_doubling of 5 ranks is the example of the header",
          "[schedule][allgather][recursive_doubling]") {
    CHECK(exchange_text(5, 0, make)
          == "0: recv 1 [1]\n"
             "1: send 2 [0 1], recv 2 [2]\n"
             "2: send 3 [0 1 2], recv 3 [3 4]\n"
             "3: send 1 [2 3 4 0]");
    CHECK(exchange_text(5, 1, make)
          == "0: send 0 [1]\n"
             "3: recv 0 [2 3 4 0]");
}
