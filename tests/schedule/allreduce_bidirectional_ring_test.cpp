// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/bidirectional_ring.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("allreduce bidirectional_ring is proved for any size and moves and folds the least",
          "[schedule][allreduce][bidirectional_ring]") {
    for (rank_type size = 1; size <= 130; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0,
                                     factory_of<bidirectional_ring, collective::allreduce>());
        CHECK(p.same_bits);
        CHECK(p.rounds == 2 * (size / 2));
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.max_outstanding == (size == 1 ? 0 : size == 2 ? 2 : 4));
    }
}
