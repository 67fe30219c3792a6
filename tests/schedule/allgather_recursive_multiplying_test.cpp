// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/recursive_multiplying.hpp>

#include <string>

#include "support/catch2.hpp"
#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"
#include "support/ranks_by_digits.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_radix(rank_type radix) {
    return factory_of<recursive_multiplying, collective::allgather>({radix});
}
} // namespace

TEST_CASE("allgather recursive_multiplying is proved for every size and radix",
          "[schedule][allgather][recursive_multiplying]") {
    for (const rank_type radix : {2, 3, 4, 5, 8, 16, 70, 1000}) {
        CAPTURE(radix);
        prove_up_to<collective::allgather>(70, recursive_multiplying{radix});
    }
}

TEST_CASE("allgather recursive_multiplying moves the least where no rank is left over",
          "[schedule][allgather][recursive_multiplying]") {
    for (const rank_type radix : {3, 4, 7})
        for (rank_type size = 2; size <= support::compared_up_to; ++size) {
            CAPTURE(radix, size);
            const support::ranks_by_digits ranks(size, radix);
            const proof p = check_proved(collective::allgather, size, 0, of_radix(radix));
            CHECK(p.rounds == ranks.rounds());
            if (ranks.left_over == 0) {
                CHECK(p.sent_blocks == size - 1);
                CHECK(p.critical_sent == size - 1);
            }
            CHECK(p.sent_blocks < 3 * size);
        }
}

TEST_CASE("allgather recursive_multiplying of 5 ranks and radix 3 is the example of the header",
          "[schedule][allgather][recursive_multiplying]") {
    CHECK(exchange_text(5, 2, of_radix(3))
          == "0: recv 3 [3]\n"
             "1: send 4 [2 3], send 0 [2 3], recv 0 [0 1], recv 4 [4]\n"
             "2: send 3 [4 0 1 2]");
}

TEST_CASE("groups of an allgather have two ranks at least", "[schedule][allgather][recursive_multiplying]") {
    CHECK_THROWS_AS(generate(of<collective::allgather>, recursive_multiplying{1}, place{0, 2, 0}),
                    argument_error);
}
