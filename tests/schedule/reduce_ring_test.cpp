// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/ring.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<ring, collective::reduce>();
}

TEST_CASE("reduce ring is proved for any size and root", "[schedule][reduce][ring]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (rank_type root = 0; root < size; root += size <= 40 ? 1 : 13) {
            const proof p = check_proved(collective::reduce, size, root, make);
            CHECK(p.rounds == (size == 1 ? 0 : size));
            // The root receives a vector less a block twice: in the reduce-scatter and in the last round.
            CHECK(p.received_blocks == 2 * (size - 1));
        }
}

TEST_CASE("reduce ring is the ring's reduce-scatter, then all send their block straight to the root",
          "[schedule][reduce][ring]") {
    for (rank_type r = 0; r < 5; ++r) {
        std::vector<step> steps;
        for (round_index i = 0; i < 4; ++i) make({r, 5, 3}).append(i, steps);
        std::vector<step> scatter;
        for (round_index i = 0; i < 4; ++i)
            any_generator(generate(of<collective::reduce_scatter>, ring{}, place{r, 5, 3}))
                .append(i, scatter);
        CHECK(steps == scatter);
        steps.clear();
        make({r, 5, 3}).append(4, steps);
        if (r == 3)
            CHECK(steps.size() == 4);
        else
            CHECK(steps == std::vector{step::send(3, {.first = r, .count = 1})});
    }
}
