// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast/split_binary.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a split binary tree broadcasts for every size, root and number of segments",
          "[schedule][bcast][split_binary]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 7, 16);
    CAPTURE(segments);
    prove_up_to<collective::bcast>(segments == 2 ? 70 : 25, split_binary{segments});
}

TEST_CASE("a split binary tree takes floor(lg p) + S rounds and sends 3/2 of the vector",
          "[schedule][bcast][split_binary]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const block_index segments = 1 + size % 7;
        CAPTURE(size, segments);
        const proof p = check_proved(collective::bcast, size, size / 3,
                                     factory_of<split_binary, collective::bcast>({segments}));
        CHECK(p.rounds == floor_log2(size) + segments);
        CHECK(p.blocks == 2 * segments);
        CHECK(p.sent_blocks == (size < 4 || size == 5 ? 2 : 3) * segments);
        CHECK(p.received_blocks == p.blocks);
    }
}

TEST_CASE("a split binary tree of 5 ranks is the example of the header", "[schedule][bcast][split_binary]") {
    CHECK(schedule_text(5, 0, factory_of<split_binary, collective::bcast>({1}))
          == "0.0: send 2 [0]; send 4 [1]\n"
             "1.1: recv 2 [0]\n"
             "1.2: send 3 [0]; recv 3 [1]\n"
             "2.0: recv 0 [0]\n"
             "2.1: send 1 [0]\n"
             "2.2: send 4 [0]; recv 4 [1]\n"
             "3.1: recv 4 [1]\n"
             "3.2: send 1 [1]; recv 1 [0]\n"
             "4.0: recv 0 [1]\n"
             "4.1: send 3 [1]\n"
             "4.2: send 2 [1]; recv 2 [0]\n");
}

TEST_CASE("a split binary tree refuses less than one segment", "[schedule][bcast][split_binary]") {
    CHECK_THROWS_AS(generate(of<collective::bcast>, split_binary{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::bcast>, split_binary{1}, place{0, 2, 2}), argument_error);
}

static_assert(generate(of<collective::bcast>, split_binary{9}, {3, 1 << 20, 0}).rounds() == 29);
