// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/digits.hpp>

#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("digits number more than half of all ranks, each once", "[pattern][digits]") {
    for (rank_type size = 1; size <= 200; ++size)
        for (const rank_type radix : {2, 3, 4, 7, 200, 201}) {
            CAPTURE(size, radix);
            const digits all(size, radix);
            REQUIRE(all.count() <= size);
            REQUIRE(2 * all.count() > size);
            rank_type product = 1;
            rank_type partners = 0;
            for (int i = 0; i < all.places(); ++i) {
                REQUIRE(all.weight(i) == product);
                REQUIRE((all.values(i) >= 2 && all.values(i) <= radix));
                REQUIRE((i + 1 == all.places() || all.values(i) == radix));
                REQUIRE(all.values(i) <= all.most_values());
                product *= all.values(i);
                partners += all.values(i) - 1;
            }
            REQUIRE(product == all.count());
            REQUIRE(all.partners() == partners);
            for (rank_type number = 0; number < all.count(); ++number) {
                rank_type sum = 0;
                for (int i = 0; i < all.places(); ++i) {
                    REQUIRE((all.digit(number, i) >= 0 && all.digit(number, i) < all.values(i)));
                    sum += all.digit(number, i) * all.weight(i);
                }
                REQUIRE(sum == number);
            }
        }
    CHECK_THROWS_AS(digits(4, 1), argument_error);
}

TEST_CASE("with 13 ranks and radix 4 there are 12 numbers, of a digit of 4 values and one of 3",
          "[pattern][digits]") {
    const digits all(13, 4);
    CHECK(all.count() == 12);
    CHECK(all.places() == 2);
    CHECK(all.values(0) == 4);
    CHECK(all.values(1) == 3);
    CHECK(all.digit(11, 0) == 3);
    CHECK(all.digit(11, 1) == 2);
    CHECK(all.partners() == 5);
}
