// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/sparbit.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("allreduce sparbit is proved for any size, moves and folds the least in 2 ceil(lg p) rounds",
          "[schedule][allreduce][sparbit]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p =
            check_proved(collective::allreduce, size, 0, factory_of<sparbit, collective::allreduce>());
        CHECK(p.same_bits);
        CHECK(p.rounds == 2 * ceil_log2(size));
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("allreduce sparbit with bounded messages is proved for any size",
          "[schedule][allreduce][sparbit]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (const rank_type most : {1, 2, 3, 8, 1000}) {
            const proof p = check_proved(collective::allreduce, size, 0,
                                         factory_of<sparbit, collective::allreduce>({most}));
            CHECK(p.same_bits);
            CHECK(p.sent_blocks == p.bounds.sent_blocks);
            CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        }
}
