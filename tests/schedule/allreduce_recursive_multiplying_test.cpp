// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/recursive_multiplying.hpp>

#include <string>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"
#include "support/ranks_by_digits.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_radix(rank_type radix) {
    return factory_of<recursive_multiplying, collective::allreduce>({radix});
}
} // namespace

TEST_CASE(
    "allreduce recursive_multiplying is proved for every size and radix, keeps the order and has the same "
    "bits everywhere",
    "[schedule][allreduce][recursive_multiplying]") {
    for (const rank_type radix : {2, 3, 4, 5, 8, 16, 70, 1000}) {
        CAPTURE(radix);
        prove_up_to<collective::allreduce>(70, recursive_multiplying{radix});
        for (rank_type size = 1; size <= 70; ++size) {
            const capabilities claims = of_radix(radix)({0, size, 0}).claims();
            REQUIRE(claims.order_preserving);
            REQUIRE(claims.same_bits_on_all_ranks);
        }
    }
}

TEST_CASE("allreduce recursive_multiplying takes a round per digit, of radix - 1 messages, and two for ranks "
          "left over",
          "[schedule][allreduce][recursive_multiplying]") {
    for (const rank_type radix : {3, 4, 7})
        for (rank_type size = 2; size <= support::compared_up_to; ++size) {
            CAPTURE(radix, size);
            const support::ranks_by_digits ranks(size, radix);
            const rank_type in_groups = ranks.full * (radix - 1) + ranks.groups - 1; // messages
            const rank_type more = ranks.left_over > 0 ? 1 : 0;
            const proof p = check_proved(collective::allreduce, size, 0, of_radix(radix));
            CHECK(p.rounds == ranks.rounds());
            CHECK(p.sent_blocks == in_groups + more);
            CHECK(p.reduced_blocks == p.sent_blocks);
            CHECK(p.critical_messages == in_groups + 2 * more);
        }
    for (rank_type size = 1; size <= support::compared_up_to; size += 7)
        CHECK(check_proved(collective::allreduce, size, 0, of_radix(1000)).rounds == (size > 1 ? 1 : 0));
}

TEST_CASE("allreduce recursive_multiplying of 5 ranks and radix 5 is the example of the header",
          "[schedule][allreduce][recursive_multiplying]") {
    const std::string text = schedule_text(5, 0, of_radix(5));
    CHECK(text.find("2.0: send 3 [0]; send 4 [0]; send 0 [0]; send 1 [0]; recv 0 [0]; fold right 1 [0]; "
                    "fold left [0]; fold right 3 [0]; fold right 4 [0]\n")
          != std::string::npos);
    CHECK(text.find("1.0: send 2 [0]; send 3 [0]; send 4 [0]; send 0 [0]; fold left 0 [0]; fold right 2 [0]; "
                    "fold right 3 [0]; fold right 4 [0]\n")
          != std::string::npos);
}

TEST_CASE("of 7 ranks in threes one is left over, and two groups exchange last",
          "[schedule][allreduce][recursive_multiplying]") {
    CHECK(schedule_text(7, 0, of_radix(3))
          == "0.0: fold right 1 [0]\n"
             "0.1: send 2 [0]; send 3 [0]; fold right 2 [0]; fold right 3 [0]\n"
             "0.2: send 4 [0]; fold right 4 [0]\n"
             "0.3: send 1 [0]\n"
             "1.0: send 0 [0]\n"
             "1.3: recv 0 [0]\n"
             "2.1: send 3 [0]; send 0 [0]; fold left 0 [0]; fold right 3 [0]\n"
             "2.2: send 5 [0]; fold right 5 [0]\n"
             "3.1: send 0 [0]; send 2 [0]; recv 0 [0]; fold right 2 [0]; fold left [0]\n"
             "3.2: send 6 [0]; fold right 6 [0]\n"
             "4.1: send 5 [0]; send 6 [0]; fold right 5 [0]; fold right 6 [0]\n"
             "4.2: send 0 [0]; fold left 0 [0]\n"
             "5.1: send 6 [0]; send 4 [0]; fold left 4 [0]; fold right 6 [0]\n"
             "5.2: send 2 [0]; fold left 2 [0]\n"
             "6.1: send 4 [0]; send 5 [0]; recv 4 [0]; fold right 5 [0]; fold left [0]\n"
             "6.2: send 3 [0]; fold left 3 [0]\n");
}

TEST_CASE("groups have two ranks at least", "[schedule][allreduce][recursive_multiplying]") {
    CHECK_THROWS_AS(generate(of<collective::allreduce>, recursive_multiplying{1}, place{0, 2, 0}),
                    argument_error);
}
