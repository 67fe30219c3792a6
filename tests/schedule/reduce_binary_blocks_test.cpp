// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/binary_blocks.hpp>

#include <string>
#include <vector>

#include <tutti/core/schedule.hpp>
#include <tutti/schedule/reduce/halving_doubling.hpp>

#include "support/naive_run.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<binary_blocks, collective::reduce>();
}

TEST_CASE("reduce binary_blocks is proved for any size and root", "[schedule][reduce][binary_blocks]") {
    prove_in_order(collective::reduce, make);
}

TEST_CASE("a root outside the largest block plays rank 0 in the gather",
          "[schedule][reduce][binary_blocks]") {
    const std::vector<std::string> figure{
        "P0 A-D_0-1 P1 E-H_0-1 P2 A-D_2-3 P3 E-H_2-3 P4 A-D_4-5 P5 E-H_4-5 P6 A-D_6-7 P7 E-H_6-7 P8 A-D_8-9 "
        "P9 E-H_8-9 P10 A-D_10-11 P11 E-H_10-11",
        "P0 A-B_0-3 P1 E-F_0-3 P2 C-D_0-3 P3 G-H_0-3 P4 A-B_4-7 P5 E-F_4-7 P6 C-D_4-7 P7 G-H_4-7 P8 A-B_8-11 "
        "P9 E-F_8-11 P10 C-D_8-11 P11 G-H_8-11",
        "P0 A_0-7 P1 E_0-7 P2 C_0-7 P3 G_0-7 P4 B_0-7 P5 F_0-7 P6 D_0-7 P7 H_0-7 P8 A-B_8-12 P9 E-F_8-12 "
        "P10 C-D_8-12 P11 G-H_8-12",
        "P0 A_0-12 P1 E_0-12 P2 C_0-12 P3 G_0-12 P4 B_0-12 P5 F_0-12 P6 D_0-12 P7 H_0-12",
        // P9 gets A from P0 and B from P4.
        "P1 E-F_0-12 P2 C-D_0-12 P3 G-H_0-12 P9 A-B_0-12",
        "P1 E-H_0-12 P9 A-D_0-12",
        "P9 A-H_0-12",
    };
    CHECK(figure_of(naive_run(13, 9, make)) == figure);
}

TEST_CASE("for a power of two reduce binary_blocks is halving_doubling, step by step",
          "[schedule][reduce][binary_blocks]") {
    for (rank_type size = 1; size <= 32; size *= 2)
        for (rank_type root = 0; root < size; ++root)
            for (rank_type r = 0; r < size; ++r)
                CHECK(schedule(make({r, size, root}))
                      == schedule(generate(of<collective::reduce>, halving_doubling{}, {r, size, root})));
}
