// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/exscan/doubling_123.hpp>

#include <type_traits>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

namespace {
const generator_factory make = testing::factory_of<doubling_123, collective::exscan>();
}

TEST_CASE("exscan by 123-doubling is proved for any size, in order, in ceil(lg(4(p-1)/3)) rounds",
          "[schedule][exscan][doubling_123]") {
    round_index rounds = 1;
    std::int64_t reached = 1; // ranks in a window of so many rounds: 1, 3, 6, 12, ...
    for (rank_type size = 2; size <= 300; ++size) {
        CAPTURE(size);
        if (size - 1 > reached) reached = ++rounds == 2 ? 3 : 2 * reached;
        const proof p = testing::check_proved(collective::exscan, size, 0, make);
        CHECK(p.order_preserved);
        CHECK(p.rounds == rounds);
        CHECK(p.rounds - p.bounds.rounds <= 1);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.sent_blocks == p.rounds);
        const std::int64_t last_skip = rounds == 1 ? 1 : rounds == 2 ? 2 : reached / 2;
        CHECK(p.reduced_blocks == p.rounds - 1 + (size - 4 >= last_skip ? 1 : 0));
        CHECK(p.scratch_blocks == (size > 3 ? 1 : 0));
        CHECK(p.max_outstanding == (size > 2 ? 2 : 1));
        CHECK_FALSE(p.reads_input);
    }
    CHECK(testing::check_proved(collective::exscan, 1, 0, make).rounds == 0);
}

TEST_CASE("the rank that waits longest folds once per round after the first",
          "[schedule][exscan][doubling_123]") {
    for (rank_type size = 3; size <= support::compared_up_to; ++size) {
        const exscan_doubling_123 last({size - 1, size, 0});
        round_index folds = 0;
        for (round_index i = 0; i < last.rounds(); ++i)
            last.emit(i, [&](const step& s) { folds += s.folds(); });
        CHECK(folds == last.rounds() - 1);
    }
}

TEST_CASE("5 ranks scan by 123-doubling", "[schedule][exscan][doubling_123]") {
    CHECK(testing::schedule_text(5, 0, make)
          == "0.0: send 1 [0]\n"
             "0.1: send 2 [0]\n"
             "1.0: send 2 [0]; copy [0]; recv 0 [0]; fold left [0]\n"
             "1.1: send 3 [0]\n"
             "1.2: send 4 [0]\n"
             "2.0: send 3 [0]; copy [0]; recv 1 [0]; fold left [0]\n"
             "2.1: send 4 [0]; fold left 0 [0]\n"
             "3.0: send 4 [0]; recv 2 [0]\n"
             "3.1: fold left 1 [0]\n"
             "4.0: recv 3 [0]\n"
             "4.1: fold left 2 [0]\n"
             "4.2: fold left 1 [0]\n");
}

static_assert(generator<exscan_doubling_123>);
static_assert(generate(of<collective::exscan>, doubling_123{}, {0, 2147483647, 0}).rounds() == 32);
static_assert(std::is_trivially_copyable_v<exscan_doubling_123>, "a generator owns no memory");
