// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/fnomial_scatter.hpp>

#include <algorithm>
#include <vector>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a scatter down the f-nomial tree sends every block but the root's once to each rank on its way",
          "[schedule][scatter]") {
    const rank_type radix = GENERATE(2, 3, 5);
    for (rank_type size = 1; size <= 70; ++size)
        for (const rank_type root : {0, size / 2, size - 1}) {
            CAPTURE(radix, size, root);
            block_index largest = 0;
            for (rank_type rank = 0; rank < size; ++rank) {
                const fnomial_scatter g({rank, size, root}, radix);
                block_index sent = 0;
                block_index received = 0;
                for (round_index i = 0; i < g.rounds(); ++i)
                    g.emit(i, [&](const step& s) {
                        (s.kind == step_kind::send ? sent : received) += s.blocks.count;
                    });
                REQUIRE(received - sent == (rank == root ? 1 - size : 1));
                if (rank != root) largest = std::max(largest, received);
            }
            REQUIRE(fnomial_scatter({0, size, root}, radix).largest_subtree() == largest);
        }
}

TEST_CASE("a scatter from rank 3 of 5 is the example of the header", "[schedule][scatter]") {
    const auto make = [](place at) { return any_generator(fnomial_scatter(at, 2)); };
    CHECK(schedule_text(5, 3, make)
          == "0.1: recv 3 [0..1]\n"
             "0.2: send 1 [1]\n"
             "1.2: recv 0 [1]\n"
             "2.0: recv 3 [2]\n"
             "3.0: send 2 [2]\n"
             "3.1: send 0 [0..1]\n"
             "3.2: send 4 [4]\n"
             "4.2: recv 3 [4]\n");
}
