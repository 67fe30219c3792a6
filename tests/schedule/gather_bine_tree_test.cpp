// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/gather/bine_tree.hpp>

#include <algorithm>
#include <cstdint>

#include "support/long_parts.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

const generator_factory make = factory_of<bine_tree, collective::gather>();

/// The most blocks that travel together.
block_index longest_message(rank_type size, rank_type root) {
    block_index longest = 0;
    for (rank_type r = 0; r < size; ++r) {
        const any_generator one = make({r, size, root});
        for (round_index i = 0; i < one.rounds(); ++i)
            one.emit(i, [&](const step& s) { longest = std::max(longest, s.blocks.count); });
    }
    return longest;
}

} // namespace

TEST_CASE("gather bine_tree is proved for any size and root, and the root receives the least",
          "[schedule][gather][bine_tree]") {
    prove_up_to<collective::gather>(70, bine_tree{});
    for (rank_type size = 2; size <= support::compared_up_to; ++size)
        for (const rank_type root : {0, size / 2, size - 1}) {
            CAPTURE(size, root);
            const proof p = check_proved(collective::gather, size, root, make);
            CHECK(p.rounds == ceil_log2(size));
            CHECK(p.rounds == p.bounds.rounds);
            CHECK(p.critical_messages == p.rounds);
            CHECK(p.received_blocks == size - 1);
            CHECK(p.scratch_blocks == 0);
            CHECK_FALSE(p.moves_blocks);
            CHECK(p.sent_blocks == longest_message(size, root));
            if (size == floor_pow2(size)) CHECK(p.sent_blocks == size / 2);
        }
}

TEST_CASE("gather bine_tree is the bcast backwards: the same pairs in the other order",
          "[schedule][gather][bine_tree]") {
    const generator_factory down = factory_of<bine_tree, collective::bcast>();
    for (const rank_type size : {5, 8, 13, 16})
        for (rank_type root = 0; root < size; ++root)
            for (rank_type r = 0; r < size; ++r) {
                const any_generator up = make({r, size, root});
                const any_generator bcast = down({r, size, root});
                for (round_index i = 0; i < up.rounds(); ++i) {
                    rank_type up_peer = no_rank;
                    rank_type down_peer = no_rank;
                    up.emit(i, [&](const step& s) { up_peer = s.peer; });
                    bcast.emit(up.rounds() - 1 - i, [&](const step& s) { down_peer = s.peer; });
                    REQUIRE(up_peer == down_peer);
                }
            }
}

TEST_CASE("gather bine_tree of 8 ranks and of 5", "[schedule][gather][bine_tree]") {
    CHECK(schedule_text(5, 0, make)
          == "0.0: recv 1 [1]\n"
             "0.1: recv 2 [2]\n"
             "0.2: recv 4 [3..4]\n"
             "1.0: send 0 [1]\n"
             "2.1: send 0 [2]\n"
             "3.1: send 4 [3]\n"
             "4.1: recv 3 [3]\n"
             "4.2: send 0 [3..4]\n");
    // The root stands for ranks 6, 7, 0, 1, one message across the end if it were another's.
    CHECK(schedule_text(8, 4, make).find("7.2: send 4 [6..9]\n") != std::string::npos);
}

TEST_CASE("what a subtree of gather bine_tree has may be more than 32 bits count",
          "[schedule][gather][bine_tree]") {
    support::check_long_subtrees(make);
}
