// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/recursive_multiplying.hpp>

#include <algorithm>

#include <tutti/core/schedule.hpp>
#include <tutti/schedule/reduce/reduce_scatter_gather.hpp>
#include <tutti/schedule/reduce_scatter/recursive_halving.hpp>

#include "support/exchange_text.hpp"
#include "support/extent.hpp"
#include "support/proving.hpp"
#include "support/ranks_by_digits.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_radix(rank_type radix) {
    return factory_of<recursive_multiplying, collective::reduce_scatter>({radix});
}
} // namespace

TEST_CASE("reduce_scatter recursive_multiplying is proved for every size and radix",
          "[schedule][reduce_scatter][recursive_multiplying]") {
    for (const rank_type radix : {2, 3, 4, 5, 8, 16, 70, 1000}) {
        CAPTURE(radix);
        for (rank_type size = 1; size <= 70; ++size) {
            CAPTURE(size);
            const proof p = check_proved(collective::reduce_scatter, size, 0, of_radix(radix));
            const capabilities claims = of_radix(radix)({0, size, 0}).claims();
            CHECK(weak_claims(claims, p, size) == (size <= 2 ? "order" : ""));
            CHECK(claims.sent_blocks == p.sent_blocks);
            CHECK(claims.reduced_blocks == p.reduced_blocks);
            CHECK(claims.max_outstanding == p.max_outstanding);
        }
    }
}

TEST_CASE("reduce_scatter recursive_multiplying takes a round per digit and folds the least where no rank is "
          "left over",
          "[schedule][reduce_scatter][recursive_multiplying]") {
    for (const rank_type radix : {3, 4, 7})
        for (rank_type size = 2; size <= support::compared_up_to; ++size) {
            CAPTURE(radix, size);
            const support::ranks_by_digits ranks(size, radix);
            const proof p = check_proved(collective::reduce_scatter, size, 0, of_radix(radix));
            CHECK(p.rounds == ranks.rounds());
            CHECK(p.sent_blocks == size - 1);
            CHECK(p.scratch_blocks == 0);
            if (ranks.left_over == 0) CHECK(p.reduced_blocks == size - 1);
            CHECK(p.reduced_blocks < 3 * size);
        }
}

TEST_CASE("reduce_scatter recursive_multiplying in pairs is recursive_halving",
          "[schedule][reduce_scatter][recursive_multiplying]") {
    for (const rank_type size : {1, 2, 7, 8, 13})
        for (rank_type rank = 0; rank < size; ++rank) {
            const place at{rank, size, 0};
            const schedule pairs(of_radix(2)(at));
            const schedule halves(
                any_generator(generate(of<collective::reduce_scatter>, recursive_halving{}, at)));
            REQUIRE(pairs.rounds() == halves.rounds());
            CHECK(std::equal(pairs.steps().begin(), pairs.steps().end(), halves.steps().begin(),
                             halves.steps().end()));
        }
}

TEST_CASE("reduce_scatter recursive_multiplying of 5 ranks and radix 3 is the example of the header",
          "[schedule][reduce_scatter][recursive_multiplying]") {
    CHECK(exchange_text(5, 2, of_radix(3))
          == "0: recv 3 [4 0 1 2]\n"
             "1: send 4 [4], send 0 [0 1], recv 0 [2 3], recv 4 [2 3]\n"
             "2: send 3 [3]");
}

TEST_CASE("with a gather of the same radix it is the k-nomial scatter-reduce-gather",
          "[schedule][reduce_scatter][recursive_multiplying]") {
    for (const rank_type radix : {3, 4}) {
        CAPTURE(radix);
        const auto make = factory_of<reduce_scatter_gather<recursive_multiplying>, collective::reduce>(
            {radix, recursive_multiplying{radix}});
        for (rank_type size = 1; size <= 30; ++size)
            for (rank_type root = 0; root < size; ++root) check_proved(collective::reduce, size, root, make);
        const auto full = static_cast<rank_type>(power(radix, 3));
        CHECK(check_proved(collective::reduce, full, 0, make).rounds == 6);
    }
}

TEST_CASE("groups of a reduce_scatter have two ranks at least",
          "[schedule][reduce_scatter][recursive_multiplying]") {
    CHECK_THROWS_AS(generate(of<collective::reduce_scatter>, recursive_multiplying{1}, place{0, 2, 0}),
                    argument_error);
}
