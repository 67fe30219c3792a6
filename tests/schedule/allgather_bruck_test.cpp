// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/bruck.hpp>

#include <cstdlib>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bruck, collective::allgather>();
}

TEST_CASE("allgather bruck is proved for any size", "[schedule][allgather][bruck]") {
    prove_up_to<collective::allgather>(70, bruck{});
}

TEST_CASE("allgather bruck reaches both lower bounds for any size", "[schedule][allgather][bruck]") {
    reaches_both_bounds_up_to(70, make);
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, make);
}

TEST_CASE("allgather bruck sends over distances that double, as the messages do",
          "[schedule][allgather][bruck]") {
    for (const rank_type size : {2, 5, 8, 13, 64, 70})
        for (const listed_message& m : messages_of(size, make)) {
            const rank_type to_lower = m.kind == step_kind::send ? m.rank - m.peer : m.peer - m.rank;
            REQUIRE(mod(to_lower, size) == (rank_type{1} << m.round));
            const bool last = m.round == ceil_log2(size) - 1;
            const block_index full = block_index{1} << m.round;
            REQUIRE(static_cast<block_index>(m.blocks.size()) == (last ? size - full : full));
        }
}

TEST_CASE("allgather bruck of 5 ranks is the example of the header", "[schedule][allgather][bruck]") {
    CHECK(exchange_text(5, 3, make)
          == "0: send 2 [3], recv 4 [4]\n"
             "1: send 1 [3 4], recv 0 [0 1]\n"
             "2: send 4 [3], recv 2 [2]");
}
