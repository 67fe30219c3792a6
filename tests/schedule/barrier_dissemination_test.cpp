// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/barrier/dissemination.hpp>

#include <string>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

static_assert(generator<dissemination_barrier>);
static_assert(dissemination_barrier({0, 1 << 20, 0}).rounds() == 20);

TEST_CASE("a dissemination barrier is proved for every size", "[schedule][barrier]") {
    testing::prove_up_to<collective::barrier>(200, dissemination{});
}

TEST_CASE("a dissemination barrier of any radix is proved for every size", "[schedule][barrier]") {
    for (const rank_type radix : {3, 4, 5, 8, 1000}) {
        CAPTURE(radix);
        testing::prove_up_to<collective::barrier>(70, dissemination{radix});
    }
    for (rank_type size = 2; size <= support::compared_up_to; ++size)
        for (const rank_type radix : {3, 7}) {
            const proof p =
                testing::check_proved(collective::barrier, size, 0,
                                      testing::factory_of<dissemination, collective::barrier>({radix}));
            CHECK(p.rounds == ceil_log(radix, size));
            CHECK(p.critical_messages <= p.rounds * (radix - 1));
        }
    CHECK_THROWS_AS(generate(of<collective::barrier>, dissemination{1}, place{0, 2, 0}), argument_error);
}

TEST_CASE("the dissemination barrier of rank 1 of 5 with radix 3 is the example of the header",
          "[schedule][barrier]") {
    const std::string text =
        testing::schedule_text(5, 0, testing::factory_of<dissemination, collective::barrier>({3}));
    CHECK(text.find("1.0: send 2 []; send 3 []; recv 0 []; recv 4 []\n1.1: send 4 []; recv 3 []\n")
          != std::string::npos);
}

TEST_CASE("the dissemination barrier of 3 ranks", "[schedule][barrier]") {
    CHECK(testing::schedule_text(3, 0, testing::factory_of<dissemination, collective::barrier>())
          == "0.0: send 1 []; recv 2 []\n"
             "0.1: send 2 []; recv 1 []\n"
             "1.0: send 2 []; recv 0 []\n"
             "1.1: send 0 []; recv 2 []\n"
             "2.0: send 0 []; recv 1 []\n"
             "2.1: send 1 []; recv 0 []\n");
}

TEST_CASE("a barrier takes ceil(log2 p) rounds", "[schedule][barrier]") {
    CHECK(dissemination_barrier({0, 1, 0}).rounds() == 0);
    CHECK(dissemination_barrier({0, 2, 0}).rounds() == 1);
    CHECK(dissemination_barrier({0, 5, 0}).rounds() == 3);
    CHECK(dissemination_barrier({0, 64, 0}).rounds() == 6);
    CHECK(dissemination_barrier({0, 65, 0}).rounds() == 7);
}
