// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scatter/bine_tree.hpp>

#include "support/long_parts.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bine_tree, collective::scatter>();
}

TEST_CASE("scatter bine_tree is proved for any size and root, and the root sends the least",
          "[schedule][scatter][bine_tree]") {
    prove_up_to<collective::scatter>(70, bine_tree{});
    for (rank_type size = 2; size <= support::compared_up_to; ++size)
        for (const rank_type root : {0, size / 2, size - 1}) {
            CAPTURE(size, root);
            const proof p = check_proved(collective::scatter, size, root, make);
            CHECK(p.rounds == ceil_log2(size));
            CHECK(p.rounds == p.bounds.rounds);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.sent_blocks == size - 1);
            CHECK(p.sent_blocks == p.bounds.sent_blocks);
            CHECK(p.scratch_blocks == 0);
            CHECK_FALSE(p.moves_blocks);
        }
}

TEST_CASE("scatter bine_tree of 5 ranks", "[schedule][scatter][bine_tree]") {
    CHECK(schedule_text(5, 0, make)
          == "0.0: send 4 [3..4]\n"
             "0.1: send 2 [2]\n"
             "0.2: send 1 [1]\n"
             "1.2: recv 0 [1]\n"
             "2.1: recv 0 [2]\n"
             "3.1: recv 4 [3]\n"
             "4.0: recv 0 [3..4]\n"
             "4.1: send 3 [3]\n");
}

TEST_CASE("what a subtree of scatter bine_tree has may be more than 32 bits count",
          "[schedule][scatter][bine_tree]") {
    support::check_long_subtrees(make);
}
