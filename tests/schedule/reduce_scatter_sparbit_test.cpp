// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/sparbit.hpp>

#include <algorithm>
#include <cstddef>

#include "support/exchange_text.hpp"
#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<sparbit, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter sparbit reaches the lower bounds of rounds, volume and folds for every size",
          "[schedule][reduce_scatter][sparbit]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("reduce_scatter sparbit sends half the vector to the nearest rank, single blocks to the farthest",
          "[schedule][reduce_scatter][sparbit]") {
    for (rank_type r = 0; r < 16; ++r)
        for (round_index i = 0; i < 4; ++i) {
            const rank_type distance = 1 << i;
            block_index sent = 0;
            make({r, 16, 0}).emit(i, [&](const step& s) {
                if (s.kind != step_kind::send) return;
                CHECK(s.peer == (r + 16 - distance) % 16);
                sent += s.blocks.count;
            });
            CHECK(sent == 8 / distance);
        }
}

TEST_CASE("the example of reduce_scatter sparbit", "[schedule][reduce_scatter][sparbit]") {
    CHECK(exchange_text(5, 3, make)
          == "0: send 2 [2 0], recv 4 [3 1]\n"
             "1: send 1 [1], recv 0 [3]\n"
             "2: send 4 [4], recv 2 [3]");
}

TEST_CASE("reduce_scatter sparbit with bounded messages is proved for any size; messages are not longer",
          "[schedule][reduce_scatter][sparbit]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size)
        for (const rank_type most : {1, 2, 3, 8, 35, 1000}) {
            if (size > 70 && most != 8) continue;
            CAPTURE(size, most);
            const auto bounded = factory_of<sparbit, collective::reduce_scatter>({most});
            const proof p = check_proved(collective::reduce_scatter, size, 0, bounded);
            const int wide = std::min(floor_log2(most), ceil_log2(size));
            const rank_type apart = rank_type{1} << (ceil_log2(size) - wide);
            CHECK(p.rounds == wide + std::min(apart, size) - 1);
            CHECK(p.sent_blocks == p.bounds.sent_blocks);
            CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
            for (const listed_message& m : messages_of(size, bounded))
                REQUIRE(m.blocks.size() <= static_cast<std::size_t>(most));
        }
}
