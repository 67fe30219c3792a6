// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/sparbit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<sparbit, collective::allgather>();
}

TEST_CASE("allgather sparbit is proved for any size", "[schedule][allgather][sparbit]") {
    prove_up_to<collective::allgather>(70, sparbit{});
}

TEST_CASE("allgather sparbit reaches both lower bounds for any size", "[schedule][allgather][sparbit]") {
    reaches_both_bounds_up_to(70, make);
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, make);
}

TEST_CASE("allgather sparbit halves the distance each round, and messages do not get shorter",
          "[schedule][allgather][sparbit]") {
    for (rank_type size = 2; size <= 70; ++size) {
        const int q = ceil_log2(size);
        std::vector<std::size_t> length(static_cast<std::size_t>(q));
        for (const listed_message& m : messages_of(size, make)) {
            const rank_type upwards = m.kind == step_kind::send ? m.peer - m.rank : m.rank - m.peer;
            REQUIRE(mod(upwards, size) == (rank_type{1} << (q - 1 - m.round)));
            length[static_cast<std::size_t>(m.round)] = m.blocks.size();
        }
        for (std::size_t i = 1; i < length.size(); ++i) REQUIRE(length[i] >= length[i - 1]);
        // The last message, half the vector, goes to the next rank.
        REQUIRE(length.back() == static_cast<std::size_t>(size / 2));
    }
}

TEST_CASE("allgather sparbit of 5 ranks is the example of the header", "[schedule][allgather][sparbit]") {
    CHECK(exchange_text(5, 3, make)
          == "0: send 2 [3], recv 4 [4]\n"
             "1: send 0 [3], recv 1 [1]\n"
             "2: send 4 [3 1], recv 2 [2 0]");
}

TEST_CASE("allgather sparbit sends every second block in the last round", "[schedule][allgather][sparbit]") {
    CHECK(exchange_text(8, 1, make)
          == "0: send 5 [1], recv 5 [5]\n"
             "1: send 3 [1 5], recv 7 [7 3]\n"
             "2: send 2 [1 7 5 3], recv 0 [0 6 4 2]");
}

TEST_CASE("allgather sparbit does not overflow in the largest world", "[schedule][allgather][sparbit]") {
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    const allgather_sparbit g({0, size, 0});
    std::vector<step> steps;
    for (round_index i = 0; i < g.rounds(); ++i) g.emit(i, [&](const step& s) { steps.push_back(s); });
    REQUIRE(steps.size() == 62);
    CHECK(steps[0] == step::send(1 << 30, {.first = 0, .count = 1, .run = 1, .stride = 0}));
    CHECK(steps[60] == step::send(1, {.first = 0, .count = size / 2, .run = 1, .stride = -2}));
}

namespace {

generator_factory of_blocks(rank_type most) { return factory_of<sparbit, collective::allgather>({most}); }

/// So many blocks of others a rank has at most, after any round, that it still has to send on.
std::int64_t most_on_the_way(rank_type size, const generator_factory& how) {
    std::vector<round_index> came(static_cast<std::size_t>(size), -1);
    std::vector<round_index> left(static_cast<std::size_t>(size), -1);
    for (const listed_message& m : messages_of_rank({0, size, 0}, how))
        for (const block_index b : m.blocks)
            (m.kind == step_kind::send ? left : came)[static_cast<std::size_t>(b)] = m.round;
    std::int64_t most = 0;
    for (round_index i = 0; i < how({0, size, 0}).rounds(); ++i) {
        std::int64_t count = 0;
        for (std::size_t b = 1; b < came.size(); ++b) count += came[b] <= i && i < left[b] ? 1 : 0;
        most = std::max(most, count);
    }
    return most;
}

} // namespace

TEST_CASE("allgather sparbit with bounded messages is proved for any size",
          "[schedule][allgather][sparbit]") {
    for (const rank_type most : {1, 2, 3, 4, 8, 9, 16, 35, 1000}) {
        CAPTURE(most);
        prove_up_to<collective::allgather>(70, sparbit{most});
    }
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, of_blocks(8));
}

TEST_CASE("PAT: a logarithmic part until messages are as long as they may be, then a linear one",
          "[schedule][allgather][sparbit]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size)
        for (const rank_type most : {1, 2, 5, 8, 64}) {
            CAPTURE(size, most);
            const int q = ceil_log2(size);
            const int wide = std::min(floor_log2(most), q);
            const std::int64_t apart = std::int64_t{1} << (q - wide);
            CHECK(of_blocks(most)({0, size, 0}).rounds() == wide + std::min<std::int64_t>(apart, size) - 1);
            // All ranks do the same: the claim uniform_rounds, which is tested where all claims are.
            for (const listed_message& m : messages_of_rank({size / 2, size, 0}, of_blocks(most)))
                REQUIRE(m.blocks.size() <= static_cast<std::size_t>(most));
        }
}

TEST_CASE("PAT: few blocks are on the way, whatever the size", "[schedule][allgather][sparbit]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size)
        for (const int wide : {0, 1, 2, 3}) {
            CAPTURE(size, wide);
            const int levels = ceil_log2(size) - wide; // of a tree of the linear part
            if (levels < 1) continue;
            REQUIRE(most_on_the_way(size, of_blocks(1 << wide)) < (1 << wide) * (levels / 2 + 1));
        }
    CHECK(most_on_the_way(128, of_blocks(1)) == 3);
    CHECK(most_on_the_way(128, make) == 63);
}

TEST_CASE("8 ranks with two blocks in a message: across, then both trees of four, branch by branch",
          "[schedule][allgather][sparbit]") {
    CHECK(exchange_text(8, 0, of_blocks(2))
          == "0: send 4 [0], recv 4 [4]\n"
             "1: send 1 [0 4], recv 7 [7 3]\n"
             "2: send 2 [0 4], recv 6 [6 2]\n"
             "3: send 1 [6 2], recv 7 [5 1]");
    CHECK(exchange_text(5, 3, of_blocks(1)) // the example of the header
          == "0: send 4 [3], recv 2 [2]\n"
             "1: send 0 [3], recv 1 [1]\n"
             "2: send 4 [1], recv 2 [0]\n"
             "3: send 2 [3], recv 4 [4]");
}

TEST_CASE("allgather sparbit refuses messages of less than no blocks, and takes single ones in the largest "
          "world",
          "[schedule][allgather][sparbit]") {
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    const allgather_sparbit g({0, size, 0}, {1});
    CHECK(g.rounds() == size - 1);
    std::vector<step> steps;
    for (const round_index i : {round_index{0}, g.rounds() - 1})
        g.emit(i, [&](const step& s) { steps.push_back(s); });
    CHECK(steps[0] == step::send(1, {.first = 0, .count = 1, .run = 1, .stride = 0}));
    CHECK(steps[2] == step::send(2, {.first = 3, .count = 1, .run = 1, .stride = 0}));
    CHECK_THROWS_AS(generate(of<collective::allgather>, sparbit{-1}, place{0, 2, 0}), argument_error);
}
