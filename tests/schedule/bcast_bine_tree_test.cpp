// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast/bine_tree.hpp>

#include <algorithm>
#include <cstdlib>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bine_tree, collective::bcast>();
}

TEST_CASE("bcast bine_tree is proved for any size and root, in the fewest rounds",
          "[schedule][bcast][bine_tree]") {
    prove_up_to<collective::bcast>(70, bine_tree{});
    for (rank_type size = 1; size <= support::compared_up_to; ++size)
        for (const rank_type root : {0, size / 2, size - 1}) {
            const proof p = check_proved(collective::bcast, size, root, make);
            CHECK(p.rounds == p.bounds.rounds);
            const bool of_a_pair = root < 2 * (size - floor_pow2(size));
            CHECK(p.sent_blocks == floor_log2(size) + (of_a_pair ? 1 : 0));
        }
}

TEST_CASE("bcast bine_tree goes two thirds as far as the binomial tree", "[schedule][bcast][bine_tree]") {
    // Round the ring of 64 ranks: the distances of the binomial tree are 32, 16, ..., 1, of this 21, 11,
    // ..., 1.
    for (round_index i = 0; i < 6; ++i)
        for (rank_type r = 0; r < 64; ++r)
            make({r, 64, 5}).emit(i, [&](const step& s) {
                const rank_type away = std::abs(s.peer - r);
                CHECK(std::min(away, 64 - away) == std::abs(swing_distance(5 - static_cast<int>(i))));
            });
}

TEST_CASE("bcast bine_tree of 8 ranks and of 5", "[schedule][bcast][bine_tree]") {
    CHECK(exchange_text(8, 0, make)
          == "0: send 3 [0]\n"
             "1: send 7 [0]\n"
             "2: send 1 [0]");
    CHECK(exchange_text(8, 3, make)
          == "0: recv 0 [0]\n"
             "1: send 4 [0]\n"
             "2: send 2 [0]");
    CHECK(exchange_text(5, 0, make)
          == "0: send 4 [0]\n"
             "1: send 2 [0]\n"
             "2: send 1 [0]");
}
