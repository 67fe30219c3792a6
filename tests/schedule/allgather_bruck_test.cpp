// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/bruck.hpp>

#include <algorithm>
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

TEST_CASE("allgather bruck of any radix moves the least in ceil(log_radix p) rounds",
          "[schedule][allgather][bruck]") {
    for (const rank_type radix : {3, 4, 5, 8, 1000}) {
        CAPTURE(radix);
        prove_up_to<collective::allgather>(70, bruck{radix});
        for (rank_type size = 2; size <= support::compared_up_to; size += 3) {
            const proof p = check_proved(collective::allgather, size, 0,
                                         factory_of<bruck, collective::allgather>({radix}));
            CHECK(p.rounds == ceil_log(radix, size));
            CHECK(p.critical_sent == size - 1);
            CHECK(p.max_outstanding == 2 * std::min(radix - 1, size - 1));
        }
    }
    CHECK_THROWS_AS(generate(of<collective::allgather>, bruck{1}, place{0, 2, 0}), argument_error);
}

TEST_CASE("allgather bruck of radix 3 and 5 ranks is the example of the header",
          "[schedule][allgather][bruck]") {
    CHECK(exchange_text(5, 3, factory_of<bruck, collective::allgather>({3}))
          == "0: send 2 [3], send 1 [3], recv 4 [4], recv 0 [0]\n"
             "1: send 0 [3 4], recv 1 [1 2]");
}

TEST_CASE("allgather bruck of 5 ranks is the example of the header", "[schedule][allgather][bruck]") {
    CHECK(exchange_text(5, 3, make)
          == "0: send 2 [3], recv 4 [4]\n"
             "1: send 1 [3 4], recv 0 [0 1]\n"
             "2: send 4 [3], recv 2 [2]");
}
