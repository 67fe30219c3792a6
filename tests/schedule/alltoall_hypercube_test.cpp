// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/hypercube.hpp>

#include <algorithm>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

generator_factory by(int zeta) { return factory_of<hypercube, collective::alltoall>({zeta}); }

/// How often p can be halved.
int halvings(rank_type p) {
    int n = 0;
    for (; p % 2 == 0; p /= 2) ++n;
    return n;
}

} // namespace

TEST_CASE("alltoall hypercube is proved for any size and zeta, and claims no less than it does",
          "[schedule][alltoall][hypercube]") {
    for (const int zeta : {0, 1, 2, 5, 30})
        for (rank_type size = 1; size <= 130; ++size) {
            CAPTURE(zeta, size);
            const proof p = check_proved(collective::alltoall, size, 0, by(zeta));
            CHECK(p.scratch_blocks == 0);
            CHECK_FALSE(p.reads_input); // in place without a copy
            CHECK(weak_claims(by(zeta)({0, size, 0}).claims(), p, size).empty());
        }
}

TEST_CASE("alltoall hypercube takes a round per dimension, and one per direct message",
          "[schedule][alltoall][hypercube][formulas]") {
    for (const int zeta : {0, 1, 3})
        for (rank_type size = 2; size <= support::compared_up_to; ++size) {
            CAPTURE(zeta, size);
            const int dimensions = halvings(size);
            const int exchanges = dimensions > zeta ? dimensions - zeta : 0;
            const rank_type groups = size >> exchanges;
            const bool is_power = floor_pow2(size) == size;
            const proof p = check_proved(collective::alltoall, size, 0, by(zeta));
            CHECK(p.rounds == exchanges + groups - (is_power ? 1 : 0));
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_messages == exchanges + groups - 1);
            CHECK(p.sent_blocks == exchanges * (size / 2) + size - size / groups);
            CHECK(p.max_outstanding == 2);
        }
}

TEST_CASE(
    "of a power of two, alltoall hypercube has as many rounds as there can be least, and sends as much as "
    "must be for that",
    "[schedule][alltoall][hypercube]") {
    for (rank_type size = 2; size <= 256; size *= 2) {
        const proof p = check_proved(collective::alltoall, size, 0, by(0));
        CHECK(p.rounds == p.bounds.rounds);
        CHECK(p.sent_blocks == size / 2 * ceil_log2(size));
    }
}

TEST_CASE("alltoall hypercube moves several pieces or blocks that follow each other, which take no search",
          "[schedule][alltoall][hypercube]") {
    for (const int zeta : {0, 1, 3})
        for (rank_type size = 1; size <= 64; ++size)
            for (rank_type rank = 0; rank < size; ++rank) {
                CAPTURE(zeta, size, rank);
                const any_generator g = by(zeta)({rank, size, 0});
                step_list steps;
                for (round_index i = 0; i < g.rounds(); ++i) g.append(i, steps);
                CHECK(std::all_of(steps.begin(), steps.end(), [](const step& s) {
                    return s.blocks.contiguous() || s.blocks.count > s.blocks.run;
                }));
            }
}

TEST_CASE("alltoall hypercube on 6 ranks: one dimension, then three pairs of ranks meet",
          "[schedule][alltoall][hypercube]") {
    CHECK(schedule_text(6, 0, by(0))
          == "0.0: copy [0]; send 1 [1..3]; recv 1 [1..3]\n"
             "0.2: send 2 [2]; send 2 [3]; recv 2 [2]; recv 2 [3]\n"
             "0.3: send 4 [4]; send 4 [5]; recv 4 [4]; recv 4 [5]\n"
             "1.0: copy [1]; send 0 [0..2]; recv 0 [0..2]\n"
             "1.2: send 3 [3]; send 3 [2]; recv 3 [3]; recv 3 [2]\n"
             "1.3: send 5 [5]; send 5 [4]; recv 5 [5]; recv 5 [4]\n"
             "2.0: copy [2]; send 3 [1..3]; recv 3 [1..3]\n"
             "2.1: send 4 [4]; send 4 [5]; recv 4 [4]; recv 4 [5]\n"
             "2.2: send 0 [0]; send 0 [1]; recv 0 [0]; recv 0 [1]\n"
             "3.0: copy [3]; send 2 [0..2]; recv 2 [0..2]\n"
             "3.1: send 5 [5]; send 5 [4]; recv 5 [5]; recv 5 [4]\n"
             "3.2: send 1 [1]; send 1 [0]; recv 1 [1]; recv 1 [0]\n"
             "4.0: copy [4]; send 5 [1..3]; recv 5 [1..3]\n"
             "4.1: send 2 [2]; send 2 [3]; recv 2 [2]; recv 2 [3]\n"
             "4.3: send 0 [0]; send 0 [1]; recv 0 [0]; recv 0 [1]\n"
             "5.0: copy [5]; send 4 [0..2]; recv 4 [0..2]\n"
             "5.1: send 3 [3]; send 3 [2]; recv 3 [3]; recv 3 [2]\n"
             "5.3: send 1 [1]; send 1 [0]; recv 1 [1]; recv 1 [0]\n");
}

TEST_CASE("alltoall hypercube refuses a zeta out of range", "[schedule][alltoall][hypercube]") {
    for (const int zeta : {-1, 31})
        CHECK(support::error_of([&] {
                  generate(of<collective::alltoall>, hypercube{zeta}, {0, 4, 0});
              }).find("0..30")
              != std::string::npos);
}

static_assert(generate(of<collective::alltoall>, hypercube{}, {3, 1 << 30, 0}).rounds() == 30);
static_assert(generate(of<collective::alltoall>, hypercube{}, {3, 2147483647, 0}).rounds() == 2147483647);
