// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/barrier/dissemination.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

static_assert(generator<dissemination_barrier>);
static_assert(dissemination_barrier({0, 1 << 20, 0}).rounds() == 20);

TEST_CASE("a dissemination barrier is proved for every size", "[schedule][barrier]") {
    testing::prove_up_to<collective::barrier>(200, dissemination{});
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
