// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/halving_doubling.hpp>

#include <string>
#include <vector>

#include "support/naive_run.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<halving_doubling, collective::reduce>();
}

TEST_CASE("reduce halving_doubling is proved for any size and root", "[schedule][reduce][halving_doubling]") {
    prove_in_order(collective::reduce, make);
}

TEST_CASE("a removed root changes roles with its partner at no cost",
          "[schedule][reduce][halving_doubling]") {
    for (const rank_type size : {3, 5, 7, 13, 21, 63}) {
        const proof even = check_proved(collective::reduce, size, 0, make);
        const proof odd = check_proved(collective::reduce, size, 1, make);
        CHECK(odd.rounds == even.rounds);
        CHECK(odd.critical_sent == even.critical_sent);
        CHECK(odd.critical_reduced == even.critical_reduced);
        CHECK(odd.critical_messages == even.critical_messages);
    }
}

// As Fig. 2 of Rabenseifner and Adamidis 2004, but reduce to rank 3, which is in the place of rank 2 from the
// second exchange on.
TEST_CASE("reduce halving_doubling with 13 ranks and root 3 gathers in rank 3",
          "[schedule][reduce][halving_doubling]") {
    const std::vector<std::string> figure{
        "P0 A-D_0-1 P1 E-H_0-1 P2 A-D_2-3 P3 E-H_2-3 P4 A-D_4-5 P5 E-H_4-5 P6 A-D_6-7 P7 E-H_6-7 P8 A-D_8-9 "
        "P9 E-H_8-9",
        "P0 A-H_0-1 P3 A-H_2-3 P4 A-H_4-5 P6 A-H_6-7 P8 A-H_8-9",
        "P0 A-D_0-3 P3 E-H_0-3 P4 A-D_4-7 P6 E-H_4-7 P8 A-D_8-10 P10 E-H_8-10 P11 A-D_11-12 P12 E-H_11-12",
        "P0 A-B_0-7 P3 E-F_0-7 P4 C-D_0-7 P6 G-H_0-7 P8 A-B_8-12 P10 E-F_8-12 P11 C-D_8-12 P12 G-H_8-12",
        "P0 A_0-12 P3 E_0-12 P4 C_0-12 P6 G_0-12 P8 B_0-12 P10 F_0-12 P11 D_0-12 P12 H_0-12",
        "P0 A-B_0-12 P3 E-F_0-12 P4 C-D_0-12 P6 G-H_0-12",
        "P0 A-D_0-12 P3 E-H_0-12",
        "P3 A-H_0-12",
    };
    CHECK(figure_of(naive_run(13, 3, make)) == figure);
}
