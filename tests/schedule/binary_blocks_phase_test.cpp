// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/binary_blocks_phase.hpp>

#include <algorithm>
#include <vector>

#include "support/catch2.hpp"
#include "support/naive_run.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
constexpr auto make = [](place at) { return any_generator(binary_blocks_phase(at)); };
}

TEST_CASE("after the phase rank y of the largest block holds the result block of its reversed bits",
          "[schedule][binary_blocks]") {
    for (rank_type size = 1; size <= 40; ++size) {
        naive_run run(size, 0, make);
        for (round_index i = 0; i < run.rounds(); ++i) run.next_round();
        const int levels = floor_log2(size);
        for (rank_type y = 0; y < 1 << levels; ++y) {
            const block_index mine = reverse_bits(y, levels);
            contributions all;
            for (rank_type r = 0; r < size; ++r) all.emplace_back(r, mine);
            CAPTURE(size, y);
            CHECK(run.at(y, mine) == all);
        }
    }
}

TEST_CASE("a rank of a smaller block of ranks sends as many messages as the ratio of the sizes",
          "[schedule][binary_blocks]") {
    // 13 = 8 + 4 + 1: rank 12 sends 4 in round 2, ranks 8..11 send 2 in round 3.
    std::vector<step> steps;
    make({12, 13, 0}).append(2, steps);
    REQUIRE(steps.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) CHECK(steps[k].peer == 8 + static_cast<rank_type>(k));
    steps.clear();
    make({9, 13, 0}).append(3, steps);
    CHECK(steps
          == std::vector{step::send(1, {.first = 4, .count = 1}), step::send(5, {.first = 5, .count = 1})});
}

TEST_CASE("the longest messages go to the nearest ranks", "[schedule][binary_blocks]") {
    for (const rank_type size : {8, 13, 64, 100}) {
        const rank_block largest = block_of(0, size);
        for (rank_type r = 0; r < largest.ranks(); ++r)
            for (int k = 0; k < largest.exponent; ++k) {
                std::vector<step> steps;
                make({r, size, 0}).append(k, steps);
                CHECK(steps[0].blocks.count == largest.ranks() >> (k + 1));
                CHECK(steps[0].peer == (r ^ (1 << k)));
            }
    }
}
