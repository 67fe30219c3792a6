// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/kring.hpp>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("reduce_scatter kring is proved for any size and groups of any size",
          "[schedule][reduce_scatter][kring]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size)
        for (const rank_type k : {1, 2, 3, 4, 8, 70, 1000}) {
            if (size > 70 && k != 2 + size % 3) continue;
            CAPTURE(size, k);
            const proof p = check_proved(collective::reduce_scatter, size, 0,
                                         factory_of<kring, collective::reduce_scatter>({k}));
            const rank_type groups = (size + k - 1) / k;
            CHECK(p.rounds == groups * ((size + groups - 1) / groups) - 1);
            CHECK(p.sent_blocks == size - 1);
            CHECK(p.reduced_blocks == size - 1 + (size % groups == 0 ? 0 : groups));
        }
}

TEST_CASE("reduce_scatter kring folds in a group, then hands over to the group before",
          "[schedule][reduce_scatter][kring]") {
    CHECK(exchange_text(6, 0, factory_of<kring, collective::reduce_scatter>({3}))
          == "0: send 2 [4], recv 1 [5]\n"
             "1: send 2 [5], recv 1 [3]\n"
             "2: send 3 [3], recv 3 [0]\n"
             "3: send 2 [1], recv 1 [2]\n"
             "4: send 2 [2], recv 1 [0]");
}
