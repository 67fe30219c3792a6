// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/fnomial_split.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("an f-nomial split reduction is proved for every size, root, radix and number of splits",
          "[schedule][reduce][fnomial_split]") {
    const rank_type radix = GENERATE(2, 3, 4, 9);
    const int splits = GENERATE(0, 1, 2, 3, 7);
    CAPTURE(radix, splits);
    testing::prove_up_to<collective::reduce>(splits > 3 ? 24 : 40, fnomial_split{radix, splits});
}

TEST_CASE("Moody figure 9: 8 nodes reduce two elements, split once", "[schedule][reduce][fnomial_split]") {
    CHECK(testing::schedule_text(8, 0, testing::factory_of<fnomial_split, collective::reduce>({2, 1}))
          == "0.0: send 4 [1]; fold right 4 [0]\n"
             "0.1: fold right 1 [0]\n"
             "0.2: fold right 2 [0]\n"
             "0.3: recv 4 [1]\n"
             "1.0: send 5 [1]; fold right 5 [0]\n"
             "1.1: send 0 [0]\n"
             "2.0: send 6 [1]; fold right 6 [0]\n"
             "2.1: fold right 3 [0]\n"
             "2.2: send 0 [0]\n"
             "3.0: send 7 [1]; fold right 7 [0]\n"
             "3.1: send 2 [0]\n"
             "4.0: send 0 [0]; fold left 0 [1]\n"
             "4.1: fold right 5 [1]\n"
             "4.2: fold right 6 [1]\n"
             "4.3: send 0 [1]\n"
             "5.0: send 1 [0]; fold left 1 [1]\n"
             "5.1: send 4 [1]\n"
             "6.0: send 2 [0]; fold left 2 [1]\n"
             "6.1: fold right 7 [1]\n"
             "6.2: send 4 [1]\n"
             "7.0: send 3 [0]; fold left 3 [1]\n"
             "7.1: send 6 [1]\n");
}

TEST_CASE("with an odd group the last upper rank folds twice and the last lower rank not at all",
          "[schedule][reduce][fnomial_split]") {
    CHECK(testing::schedule_text(5, 0, testing::factory_of<fnomial_split, collective::reduce>({2, 1}))
          == "0.0: send 3 [1]; fold right 3 [0]\n"
             "0.1: fold right 1 [0]\n"
             "0.2: fold right 2 [0]\n"
             "0.3: recv 3 [1]\n"
             "1.0: send 4 [1]; fold right 4 [0]\n"
             "1.1: send 0 [0]\n"
             "2.0: send 4 [1]\n"
             "2.2: send 0 [0]\n"
             "3.0: send 0 [0]; fold left 0 [1]\n"
             "3.1: fold right 4 [1]\n"
             "3.3: send 0 [1]\n"
             "4.0: send 1 [0]; fold left 1 [1]; fold left 2 [1]\n"
             "4.1: send 3 [1]\n");
}

TEST_CASE("without splits it is the f-nomial reduction", "[schedule][reduce][fnomial_split]") {
    for (rank_type size = 1; size <= 20; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const auto split = testing::factory_of<fnomial_split, collective::reduce>({3, 0});
            const proof p = testing::check_proved(collective::reduce, size, root, split);
            REQUIRE(p.rounds == ceil_log(3, size));
            REQUIRE(p.blocks == 1);
        }
}

TEST_CASE("Moody 5.3: rounds, sent and folded volume", "[schedule][reduce][fnomial_split]") {
    // s rounds of halving, the f-nomial reduction of groups of P / 2^s, and one round of recombination. Every
    // rank sends one vector in all, the root less. With P a multiple of 2^s the critical path folds 1/2 + ...
    // + 1/2^s of the vector and then pieces of 1/2^s, against whole vectors in the unsplit tree.
    for (rank_type radix = 2; radix <= 5; ++radix)
        for (int splits = 1; splits <= 4; ++splits)
            for (rank_type members = 1; members <= 8; ++members) {
                const rank_type size = members << splits;
                CAPTURE(radix, splits, size);
                const proof p = testing::check_proved(
                    collective::reduce, size, 0,
                    testing::factory_of<fnomial_split, collective::reduce>({radix, splits}));
                const block_index vector = block_index{1} << splits;
                const std::int64_t full = floor_log(radix, members);
                const std::int64_t folds =
                    (radix - 1) * full + ceil_div(std::int64_t{members}, power(radix, static_cast<int>(full)))
                    - 1;
                REQUIRE(p.rounds == splits + ceil_log(radix, members) + 1);
                REQUIRE(p.blocks == vector);
                REQUIRE(p.sent_blocks == vector);
                REQUIRE(p.critical_reduced == vector - 1 + folds);
                REQUIRE(p.reduced_blocks == vector - 1 + folds);
            }
}

TEST_CASE("more splits than can be done leave every rank alone with its piece",
          "[schedule][reduce][fnomial_split]") {
    const auto claims = generate(of<collective::reduce>, fnomial_split{2, 30}, {0, 5, 0}).claims();
    CHECK(claims.rounds == 3 + 0 + 1);
    CHECK(claims.sent_blocks == block_index{1} << 30);
    CHECK(claims.max_outstanding == 4); // the pieces of the four other ranks
    testing::check_proved(collective::reduce, 6, 4,
                          testing::factory_of<fnomial_split, collective::reduce>({2, 10}));
}

TEST_CASE("a number of splits outside 0..30 is refused", "[schedule][reduce][fnomial_split]") {
    CHECK_THROWS_AS(generate(of<collective::reduce>, fnomial_split{2, -1}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::reduce>, fnomial_split{2, 31}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::reduce>, fnomial_split{1, 1}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::reduce>, fnomial_split{1, 0}, place{0, 5, 0}), argument_error);
}
