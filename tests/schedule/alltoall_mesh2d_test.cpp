// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/mesh2d.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<mesh2d, collective::alltoall>();
}

TEST_CASE("alltoall mesh2d is proved for any size", "[schedule][alltoall][mesh2d]") {
    for (rank_type size = 1; size <= 130; ++size) {
        CAPTURE(size);
        const proof p = check_proved(collective::alltoall, size, 0, make);
        CHECK(p.scratch_blocks == make({0, size, 0}).claims().scratch_blocks);
        CHECK(weak_claims(make({0, size, 0}).claims(), p, size).empty());
    }
}

TEST_CASE("alltoall mesh2d takes a round per other column and row, and less than twice the least volume",
          "[schedule][alltoall][mesh2d]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        CAPTURE(size);
        const auto columns = static_cast<rank_type>(ceil_sqrt(size));
        const rank_type rows = ceil_div(size, columns);
        const capabilities claims = make({0, size, 0}).claims();
        CHECK(claims.rounds == columns + rows - 2);
        CHECK(claims.sent_blocks <= 2 * (size - 1));
        if (size == columns * columns) CHECK(claims.sent_blocks == 2 * (size - columns));
        if (size == columns * rows) {
            const proof p = check_proved(collective::alltoall, size, 0, make);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_blocks == (columns - 1) * rows + (rows - 1) * columns);
        }
    }
}

TEST_CASE("of 5 ranks rank 2 stands in for the hole below it", "[schedule][alltoall][mesh2d]") {
    // Of strided pieces the text shows the first and how many more; which buffer it is in it does not show.
    CHECK(schedule_text(5, 0, make)
          == "0.0: send 1 [1..2]; recv 2 [2]; recv 2 [2]; copy [0]\n"
             "0.1: send 2 [2]; recv 1 [1]; recv 1 [1]\n"
             "0.2: send 3 [3]; send 3 [1..2]; recv 3 [3..4]\n"
             "1.0: send 2 [2]; recv 0 [0]; recv 0 [0]; copy [1]\n"
             "1.1: send 0 [0..1]; recv 2 [2]; recv 2 [2]\n"
             "1.2: send 4 [0]; send 4 [4]; send 4 [2]; recv 4 [3..4]\n"
             "2.0: send 0 [0..1]; recv 1 [1]; recv 4 [4]; copy [2]\n"
             "2.1: send 1 [1..2]; recv 0 [0]; recv 3 [3]\n"
             "3.0: send 4 [1..2]; copy [3]\n"
             "3.1: send 2 [2]; recv 4 [1]; recv 4 [4]\n"
             "3.2: send 0 [0]; send 0 [1]; recv 0 [0..2]\n"
             "4.0: send 2 [2]; recv 3 [0]; recv 3 [3]; copy [4]\n"
             "4.1: send 3 [0..1]\n"
             "4.2: send 1 [0]; send 1 [1]; recv 1 [0..2]\n");
}
