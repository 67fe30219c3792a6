// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/swing.hpp>

#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<swing, collective::allreduce>();
}

TEST_CASE("allreduce swing is proved for any size", "[schedule][allreduce][swing]") {
    for (rank_type size = 1; size <= 130; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.same_bits);
        const bool even = floor_pow2(size) == size;
        const block_index gathered = swing_exchanges::sent(survivors(size)) + (even ? 0 : size - 1);
        CHECK(p.rounds == 2 * floor_log2(size) + (even ? 0 : 4));
        CHECK(p.sent_blocks == gathered + size - 1);
        CHECK(p.reduced_blocks == gathered);
    }
}

TEST_CASE("allreduce swing moves and folds the least for a power of two", "[schedule][allreduce][swing]") {
    for (rank_type size = 1; size <= 256; size *= 2) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("allreduce swing of 8 ranks starts and ends with half the vector between neighbours",
          "[schedule][allreduce][swing]") {
    for (const round_index i : {0, 5}) {
        block_index sent = 0;
        make({4, 8, 0}).emit(i, [&](const step& s) {
            CHECK(s.peer == 5);
            if (s.kind == step_kind::send) sent += s.blocks.count;
        });
        CHECK(sent == 4);
    }
}
