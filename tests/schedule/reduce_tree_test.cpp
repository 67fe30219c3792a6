// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/tree.hpp>

#include <string>
#include <type_traits>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a serial reduction is proved for every size and root, in order", "[schedule][reduce][serial]") {
    testing::prove_up_to<collective::reduce>(40, serial{});
    CHECK(generate(of<collective::reduce>, serial{}, {0, 40, 17}).claims().order_preserving);
}

TEST_CASE("Moody 5.1: a serial reduction is one round in which the root folds P - 1 messages",
          "[schedule][reduce][serial]") {
    // T_serial(P) = C + L + (P - 1) (r + c)
    for (rank_type size = 2; size <= 40; ++size) {
        const proof p = testing::check_proved(collective::reduce, size, 0,
                                              testing::factory_of<serial, collective::reduce>());
        CHECK(p.rounds == 1);
        CHECK(p.received_messages == size - 1);
        CHECK(p.reduced_blocks == size - 1);
    }
}

TEST_CASE("a chain reduction is proved for every size, root and number of segments",
          "[schedule][reduce][chain]") {
    const block_index segments = GENERATE(1, 2, 5, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(segments > 5 ? 20 : 40, chain{segments});
}

TEST_CASE("a k-ary reduction is proved for every size, root, arity and number of segments",
          "[schedule][reduce][kary]") {
    const rank_type arity = GENERATE(1, 2, 3, 4, 5, 50);
    const block_index segments = GENERATE(1, 3);
    CAPTURE(arity, segments);
    testing::prove_up_to<collective::reduce>(40, kary{arity, segments});
}

TEST_CASE("an f-nomial reduction is proved for every size, root, radix and number of segments",
          "[schedule][reduce][fnomial]") {
    const rank_type radix = GENERATE(2, 3, 4, 5, 6, 7, 8, 9);
    const block_index segments = GENERATE(1, 4);
    CAPTURE(radix, segments);
    testing::prove_up_to<collective::reduce>(40, fnomial{radix, segments});
}

TEST_CASE("Moody 5.2: rounds and messages of T_fnomial", "[schedule][reduce][fnomial]") {
    // T_fnomial(P, f) ~ C + L ceil(log_f P) + (r + c) ((f-1) floor(log_f P) + ceil(P / f^floor(log_f P)) -
    // 1): one latency per round, and one reception and fold per message of the root. The counts are exact for
    // every P and f, also as sums of the busiest rank per round, so no other rank is ever busier than the
    // root. What is approximate in the paper's formula is only the time: a round of few messages hides part
    // of its latency.
    for (rank_type radix = 2; radix <= 9; ++radix)
        for (rank_type size = 1; size <= 130; ++size) {
            CAPTURE(radix, size);
            const proof p = testing::check_proved(
                collective::reduce, size, 0, testing::factory_of<fnomial, collective::reduce>({radix, 1}));
            const std::int64_t full = floor_log(radix, size);
            const std::int64_t messages =
                (radix - 1) * full + ceil_div(std::int64_t{size}, power(radix, static_cast<int>(full))) - 1;
            REQUIRE(p.rounds == ceil_log(radix, size));
            REQUIRE(p.received_messages == messages);
            REQUIRE(p.reduced_blocks == messages);
            REQUIRE(p.critical_messages == messages);
            REQUIRE(p.critical_reduced == messages);
            REQUIRE(p.order_preserved);
        }
}

TEST_CASE("Moody figure 5: the reduction over the 4-nomial tree of 16 nodes", "[schedule][reduce][fnomial]") {
    const auto make = testing::factory_of<fnomial, collective::reduce>({4, 1});
    const std::string text = testing::schedule_text(16, 0, make);
    CHECK(text.find("0.0: fold right 1 [0]; fold right 2 [0]; fold right 3 [0]\n"
                    "0.1: fold right 4 [0]; fold right 8 [0]; fold right 12 [0]\n"
                    "1.0: send 0 [0]\n"
                    "2.0: send 0 [0]\n"
                    "3.0: send 0 [0]\n"
                    "4.0: fold right 5 [0]; fold right 6 [0]; fold right 7 [0]\n"
                    "4.1: send 0 [0]\n"
                    "5.0: send 4 [0]\n")
          == 0);
    CHECK(text.find("12.0: fold right 13 [0]; fold right 14 [0]; fold right 15 [0]\n"
                    "12.1: send 0 [0]\n"
                    "13.0: send 12 [0]\n"
                    "14.0: send 12 [0]\n"
                    "15.0: send 12 [0]\n")
          != std::string::npos);
}

TEST_CASE("an f-nomial reduction keeps the order for root 0 and for one more root",
          "[schedule][reduce][fnomial]") {
    const auto in_order = [](rank_type radix, rank_type size, rank_type root) {
        return generate(of<collective::reduce>, fnomial{radix, 1}, {0, size, root}).claims().order_preserving;
    };
    CHECK(in_order(2, 5, 0));
    CHECK(in_order(2, 5, 1)); // 1+2, +(3+4), then 0 on the left
    CHECK_FALSE(in_order(2, 5, 2));
    CHECK_FALSE(in_order(2, 5, 4));
    CHECK(in_order(2, 8, 4)); // 4+5, +(6+7), then 0+1+2+3 on the left
}

static_assert(generate(of<collective::reduce>, fnomial{2, 1}, {3, 1 << 20, 0}).rounds() == 20);
static_assert(std::is_trivially_copyable_v<decltype(generate(of<collective::reduce>, fnomial{}, place{}))>,
              "a generator owns no memory");

TEST_CASE("an f-nomial reduction refuses a radix below 2", "[schedule][reduce][fnomial]") {
    CHECK_THROWS_AS(generate(of<collective::reduce>, fnomial{1, 1}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::reduce>, fnomial{2, 0}, place{0, 2, 0}), argument_error);
}

TEST_CASE("a binary tree reduction is proved for every size, root and number of segments, in order",
          "[schedule][reduce][binary_tree]") {
    const block_index segments = GENERATE(1, 2, 5);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(40, binary_tree{segments});
    CHECK(generate(of<collective::reduce>, binary_tree{segments}, {0, 40, 17}).claims().order_preserving);
}

TEST_CASE("a two-tree reduction is proved for every size, root and number of segments",
          "[schedule][reduce][two_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 7);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(40, two_tree{segments});
}

TEST_CASE("a two-tree reduction keeps the order for the first and the last rank as root",
          "[schedule][reduce][two_tree]") {
    CHECK(generate(of<collective::reduce>, two_tree{}, {3, 20, 0}).claims().order_preserving);
    CHECK(generate(of<collective::reduce>, two_tree{}, {3, 20, 19}).claims().order_preserving);
    CHECK_FALSE(generate(of<collective::reduce>, two_tree{}, {3, 20, 7}).claims().order_preserving);
}
