// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/reduce_scatter_allgather.hpp>

#include "support/exchange_text.hpp"
#include "support/extent.hpp"
#include "support/proving.hpp"
#include "support/ranks_by_digits.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_radix(rank_type radix) {
    return factory_of<reduce_scatter_allgather, collective::allreduce>({radix});
}
} // namespace

TEST_CASE("allreduce reduce_scatter_allgather is proved for every size and radix",
          "[schedule][allreduce][reduce_scatter_allgather]") {
    for (const rank_type radix : {2, 3, 4, 5, 8, 70, 1000})
        for (rank_type size = 1; size <= 70; ++size) {
            CAPTURE(radix, size);
            const proof p = check_proved(collective::allreduce, size, 0, of_radix(radix));
            const capabilities claims = of_radix(radix)({0, size, 0}).claims();
            CHECK(weak_claims(claims, p, size) == (size <= 2 ? "order" : ""));
            CHECK(claims.sent_blocks == p.sent_blocks);
            CHECK(claims.reduced_blocks == p.reduced_blocks);
            CHECK(claims.max_outstanding == p.max_outstanding);
            CHECK(p.same_bits);
        }
}

TEST_CASE(
    "allreduce reduce_scatter_allgather takes two rounds per digit, and sends and folds the least where "
    "no rank is left over",
    "[schedule][allreduce][reduce_scatter_allgather]") {
    for (const rank_type radix : {3, 4, 7})
        for (rank_type size = 2; size <= support::compared_up_to; ++size) {
            CAPTURE(radix, size);
            const support::ranks_by_digits ranks(size, radix);
            const proof p = check_proved(collective::allreduce, size, 0, of_radix(radix));
            CHECK(p.rounds == 2 * ranks.rounds());
            CHECK(p.scratch_blocks == 0);
            CHECK(p.sent_blocks == size - 1 + p.reduced_blocks);
            if (ranks.left_over == 0) {
                CHECK(p.sent_blocks == p.bounds.sent_blocks);
                CHECK(p.reduced_blocks == size - 1);
            }
        }
}

TEST_CASE("allreduce reduce_scatter_allgather of 5 ranks and radix 3: rank 2 divides with 0 and 4, and back",
          "[schedule][allreduce][reduce_scatter_allgather]") {
    CHECK(exchange_text(5, 2, of_radix(3))
          == "0: recv 3 [4 0 1 2]\n"
             "1: send 4 [4], send 0 [0 1], recv 0 [2 3], recv 4 [2 3]\n"
             "2: send 3 [3]\n"
             "3: recv 3 [3]\n"
             "4: send 4 [2 3], send 0 [2 3], recv 0 [0 1], recv 4 [4]\n"
             "5: send 3 [4 0 1 2]");
}

TEST_CASE("groups of a reduce_scatter_allgather have two ranks at least",
          "[schedule][allreduce][reduce_scatter_allgather]") {
    CHECK_THROWS_AS(generate(of<collective::allreduce>, reduce_scatter_allgather{1}, place{0, 2, 0}),
                    argument_error);
}
