// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/sparbit.hpp>

#include <cstddef>
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
