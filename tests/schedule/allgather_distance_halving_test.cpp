// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/distance_halving.hpp>

#include "support/exchange_text.hpp"
#include "support/exchanges.hpp"
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
    reaches_both_bounds_for_powers_of_two(make);
}

TEST_CASE("allgather distance_halving has one round more than the least if p is not a power of two",
          "[schedule][allgather][distance_halving]") {
    check_one_round_more<halving_exchanges>(make);
}

TEST_CASE("in the last exchange of allgather distance_halving half the vector goes to the nearest rank",
          "[schedule][allgather][distance_halving]") {
    check_half_to_the_nearest(make);
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
