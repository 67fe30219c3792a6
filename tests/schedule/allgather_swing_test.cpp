// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/swing.hpp>

#include "support/exchange_text.hpp"
#include "support/exchanges.hpp"
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
    reaches_both_bounds_for_powers_of_two(make);
}

TEST_CASE("allgather swing has one round more than the least if p is not a power of two",
          "[schedule][allgather][swing]") {
    check_one_round_more<swing_exchanges>(make);
}

TEST_CASE("in the last exchange of allgather swing half the vector goes to the nearest rank",
          "[schedule][allgather][swing]") {
    check_half_to_the_nearest(make);
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
