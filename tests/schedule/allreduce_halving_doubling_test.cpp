// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/halving_doubling.hpp>

#include <string>
#include <vector>

#include "support/naive_run.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<halving_doubling, collective::allreduce>();
}

TEST_CASE("allreduce halving_doubling is proved for any size", "[schedule][allreduce][halving_doubling]") {
    prove_in_order(collective::allreduce, make);
}

// Fig. 2 of Rabenseifner and Adamidis 2004: what every rank that received something holds after each
// exchange. "P0 A-D_0-3" is the fold of ranks 0 to 3 for the first four of eight parts.
TEST_CASE("allreduce halving_doubling with 13 ranks is the figure of the paper",
          "[schedule][allreduce][halving_doubling]") {
    const std::vector<std::string> figure{
        // The first ten ranks fold halves in pairs; the odd ones hand theirs over and are removed.
        "P0 A-D_0-1 P1 E-H_0-1 P2 A-D_2-3 P3 E-H_2-3 P4 A-D_4-5 P5 E-H_4-5 P6 A-D_6-7 P7 E-H_6-7 P8 A-D_8-9 "
        "P9 E-H_8-9",
        "P0 A-H_0-1 P2 A-H_2-3 P4 A-H_4-5 P6 A-H_6-7 P8 A-H_8-9",
        // Vector halving, distance doubling.
        "P0 A-D_0-3 P2 E-H_0-3 P4 A-D_4-7 P6 E-H_4-7 P8 A-D_8-10 P10 E-H_8-10 P11 A-D_11-12 P12 E-H_11-12",
        "P0 A-B_0-7 P2 E-F_0-7 P4 C-D_0-7 P6 G-H_0-7 P8 A-B_8-12 P10 E-F_8-12 P11 C-D_8-12 P12 G-H_8-12",
        "P0 A_0-12 P2 E_0-12 P4 C_0-12 P6 G_0-12 P8 B_0-12 P10 F_0-12 P11 D_0-12 P12 H_0-12",
        // Vector doubling, distance halving.
        "P0 A-B_0-12 P2 E-F_0-12 P4 C-D_0-12 P6 G-H_0-12 P8 A-B_0-12 P10 E-F_0-12 P11 C-D_0-12 P12 G-H_0-12",
        "P0 A-D_0-12 P2 E-H_0-12 P4 A-D_0-12 P6 E-H_0-12 P8 A-D_0-12 P10 E-H_0-12 P11 A-D_0-12 P12 E-H_0-12",
        "P0 A-H_0-12 P2 A-H_0-12 P4 A-H_0-12 P6 A-H_0-12 P8 A-H_0-12 P10 A-H_0-12 P11 A-H_0-12 P12 A-H_0-12",
        // The removed ranks get everything.
        "P1 A-H_0-12 P3 A-H_0-12 P5 A-H_0-12 P7 A-H_0-12 P9 A-H_0-12",
    };
    CHECK(figure_of(naive_run(13, 0, make)) == figure);
}

TEST_CASE("allreduce halving_doubling refuses a place that is none",
          "[schedule][allreduce][halving_doubling]") {
    CHECK_THROWS_AS(make({0, 0, 0}), argument_error);
    CHECK_THROWS_AS(make({4, 4, 0}), argument_error);
    CHECK_THROWS_AS(make({-1, 4, 0}), argument_error);
}
