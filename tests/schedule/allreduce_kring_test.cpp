// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/kring.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("allreduce kring is proved for any size, and moves and folds the least if k divides it",
          "[schedule][allreduce][kring]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size)
        for (const rank_type k : {1, 2, 3, 4, 8, 70, 1000}) {
            if (size > 70 && k != 2 + size % 3) continue;
            CAPTURE(size, k);
            const proof p =
                check_proved(collective::allreduce, size, 0, factory_of<kring, collective::allreduce>({k}));
            const rank_type groups = (size + k - 1) / k;
            const rank_type more = size % groups == 0 ? 0 : groups;
            CHECK(p.same_bits);
            CHECK(p.rounds == 2 * (groups * ((size + groups - 1) / groups) - 1));
            CHECK(p.sent_blocks == 2 * (size - 1) + more);
            CHECK(p.reduced_blocks == size - 1 + more);
            if (more == 0) CHECK(p.sent_blocks == p.bounds.sent_blocks);
        }
}
