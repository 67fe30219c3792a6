// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/binary_blocks.hpp>

#include <string>
#include <vector>

#include <tutti/core/schedule.hpp>
#include <tutti/schedule/allreduce/halving_doubling.hpp>

#include "support/naive_run.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<binary_blocks, collective::allreduce>();
}

TEST_CASE("allreduce binary_blocks is proved for any size", "[schedule][allreduce][binary_blocks]") {
    prove_in_order(collective::allreduce, make);
}

// Fig. 3 of Rabenseifner and Adamidis 2004: 13 = 8 + 4 + 1. What every rank that received something holds
// after each exchange.
TEST_CASE("allreduce binary_blocks with 13 ranks is the figure of the paper",
          "[schedule][allreduce][binary_blocks]") {
    const std::vector<std::string> figure{
        "P0 A-D_0-1 P1 E-H_0-1 P2 A-D_2-3 P3 E-H_2-3 P4 A-D_4-5 P5 E-H_4-5 P6 A-D_6-7 P7 E-H_6-7 P8 A-D_8-9 "
        "P9 E-H_8-9 P10 A-D_10-11 P11 E-H_10-11",
        "P0 A-B_0-3 P1 E-F_0-3 P2 C-D_0-3 P3 G-H_0-3 P4 A-B_4-7 P5 E-F_4-7 P6 C-D_4-7 P7 G-H_4-7 P8 A-B_8-11 "
        "P9 E-F_8-11 P10 C-D_8-11 P11 G-H_8-11",
        // "in the 3rd exchange step in the 2^3 block each process sends one segment (e.g. B in P0) ...; in
        // the 2^2 block each process receives and reduces 2 segments (e.g. A-B on P8)"
        "P0 A_0-7 P1 E_0-7 P2 C_0-7 P3 G_0-7 P4 B_0-7 P5 F_0-7 P6 D_0-7 P7 H_0-7 P8 A-B_8-12 P9 E-F_8-12 "
        "P10 C-D_8-12 P11 G-H_8-12",
        "P0 A_0-12 P1 E_0-12 P2 C_0-12 P3 G_0-12 P4 B_0-12 P5 F_0-12 P6 D_0-12 P7 H_0-12",
        // And the same backwards, the smaller blocks fed by pairs of messages.
        "P8 A-B_0-12 P9 E-F_0-12 P10 C-D_0-12 P11 G-H_0-12",
        "P0 A-B_0-12 P1 E-F_0-12 P2 C-D_0-12 P3 G-H_0-12 P4 A-B_0-12 P5 E-F_0-12 P6 C-D_0-12 P7 G-H_0-12 "
        "P12 A-H_0-12",
        "P0 A-D_0-12 P1 E-H_0-12 P2 A-D_0-12 P3 E-H_0-12 P4 A-D_0-12 P5 E-H_0-12 P6 A-D_0-12 P7 E-H_0-12 "
        "P8 A-D_0-12 P9 E-H_0-12 P10 A-D_0-12 P11 E-H_0-12",
        "P0 A-H_0-12 P1 A-H_0-12 P2 A-H_0-12 P3 A-H_0-12 P4 A-H_0-12 P5 A-H_0-12 P6 A-H_0-12 P7 A-H_0-12 "
        "P8 A-H_0-12 P9 A-H_0-12 P10 A-H_0-12 P11 A-H_0-12",
    };
    CHECK(figure_of(naive_run(13, 0, make)) == figure);
}

TEST_CASE("for a power of two allreduce binary_blocks is halving_doubling, step by step",
          "[schedule][allreduce][binary_blocks]") {
    for (rank_type size = 1; size <= 128; size *= 2)
        for (rank_type r = 0; r < size; ++r)
            CHECK(schedule(make({r, size, 0}))
                  == schedule(generate(of<collective::allreduce>, halving_doubling{}, {r, size, 0})));
}

TEST_CASE("allreduce binary_blocks pays by the ratio of neighbouring blocks",
          "[schedule][allreduce][binary_blocks]") {
    // 96 = 64 + 32 has delta_expo_max 1: less of everything than halving_doubling, which removes 32 ranks.
    const proof blocks = check_proved(collective::allreduce, 96, 0, make);
    const proof removed =
        check_proved(collective::allreduce, 96, 0, factory_of<halving_doubling, collective::allreduce>());
    CHECK(blocks.critical_reduced < removed.critical_reduced);
    CHECK(blocks.critical_sent < removed.critical_sent);
    CHECK(blocks.rounds < removed.rounds);
    // 65 = 64 + 1 has 6: rank 64 sends 64 messages in one round.
    CHECK(check_proved(collective::allreduce, 65, 0, make).max_outstanding == 64);
}
