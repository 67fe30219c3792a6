// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scan/hillis_steele.hpp>

#include <type_traits>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

namespace {
const generator_factory make = testing::factory_of<hillis_steele, collective::scan>();
}

TEST_CASE("Hillis and Steele scan any number of ranks, in order, in ceil(lg p) rounds, with a fold in each",
          "[schedule][scan][hillis_steele]") {
    for (rank_type size = 1; size <= 300; ++size) {
        const proof p = testing::check_proved(collective::scan, size, 0, make);
        CAPTURE(size);
        CHECK(p.order_preserved);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.rounds == p.bounds.rounds);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.sent_blocks == p.rounds);
        CHECK(p.reduced_blocks == p.rounds);
        CHECK(p.max_outstanding == make({0, size, 0}).claims().max_outstanding);
        CHECK(p.scratch_blocks == 0);
        CHECK_FALSE(p.reads_input);
    }
}

TEST_CASE("5 ranks scan with skips of 1, 2 and 4", "[schedule][scan][hillis_steele]") {
    CHECK(testing::schedule_text(5, 0, make)
          == "0.0: send 1 [0]\n"
             "0.1: send 2 [0]\n"
             "0.2: send 4 [0]\n"
             "1.0: send 2 [0]; fold left 0 [0]\n"
             "1.1: send 3 [0]\n"
             "2.0: send 3 [0]; fold left 1 [0]\n"
             "2.1: send 4 [0]; fold left 0 [0]\n"
             "3.0: send 4 [0]; fold left 2 [0]\n"
             "3.1: fold left 1 [0]\n"
             "4.0: fold left 3 [0]\n"
             "4.1: fold left 2 [0]\n"
             "4.2: fold left 0 [0]\n");
}

static_assert(generator<scan_hillis_steele>);
static_assert(generate(of<collective::scan>, hillis_steele{}, {0, 2147483647, 0}).rounds() == 31);
static_assert(std::is_trivially_copyable_v<scan_hillis_steele>, "a generator owns no memory");
