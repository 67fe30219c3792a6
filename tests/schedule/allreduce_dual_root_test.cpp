// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/dual_root.hpp>

#include <algorithm>
#include <type_traits>

#include "support/active_rounds.hpp"
#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_segments(block_index segments) {
    return factory_of<dual_root, collective::allreduce>({segments});
}

/// The longest way up a tree of so many ranks, a left edge being one round and a right one two.
round_index way_up(rank_type ranks) {
    if (ranks == 0) return -2;
    return std::max(1 + way_up(ranks / 2), 2 + way_up((ranks - 1) / 2));
}

} // namespace

TEST_CASE("an allreduce by two roots is proved for every size and number of segments, and keeps the order",
          "[schedule][allreduce][dual_root]") {
    for (const block_index segments : {1, 2, 3, 5, 8, 13}) {
        CAPTURE(segments);
        prove_up_to<collective::allreduce>(70, dual_root{segments});
        for (rank_type size = 1; size <= 70; ++size) {
            const proof p = check_proved(collective::allreduce, size, 0, of_segments(segments));
            REQUIRE(p.order_preserved);
            REQUIRE(p.same_bits);
            REQUIRE(weak_claims(of_segments(segments)({0, size, 0}).claims(), p, size)
                    == (size == 8 ? "tree" : ""));
        }
    }
}

TEST_CASE("Träff: three rounds per segment, of one message each way", "[schedule][allreduce][dual_root]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const block_index segments = 1 + size % 7;
        CAPTURE(size, segments);
        const rank_type half = (size + 1) / 2;
        const proof p = check_proved(collective::allreduce, size, 0, of_segments(segments));
        CHECK(p.rounds == way_up(half) + 2 * floor_log2(half) + 1 + 3 * (segments - 1));
        CHECK(p.max_outstanding == 2);
        CHECK(p.critical_messages <= p.rounds);
        CHECK(p.sent_blocks == std::min(half, 3) * segments);
        CHECK(p.reduced_blocks == p.sent_blocks);
    }
    CHECK(of_segments(10)({0, 62, 0}).rounds() == 4 * 5 - 4 + 3 * 10 - 2); // two whole trees of 5 levels
}

TEST_CASE("a rank between two roots has something to do in the first and the last of its active rounds",
          "[schedule][allreduce][dual_root]") {
    check_active_rounds<collective::allreduce, dual_root>(70);
}

TEST_CASE("an allreduce of two segments by two roots over 5 ranks", "[schedule][allreduce][dual_root]") {
    CHECK(schedule_text(5, 0, of_segments(2))
          == "0.1: send 1 [0]\n"
             "0.4: send 1 [1]; recv 1 [0]\n"
             "0.7: recv 1 [1]\n"
             "1.0: fold right 2 [0]\n"
             "1.1: fold left 0 [0]\n"
             "1.2: send 4 [0]; fold right 4 [0]\n"
             "1.3: send 2 [0]; fold right 2 [1]\n"
             "1.4: send 0 [0]; fold left 0 [1]\n"
             "1.5: send 4 [1]; fold right 4 [1]\n"
             "1.6: send 2 [1]\n"
             "1.7: send 0 [1]\n"
             "2.0: send 1 [0]\n"
             "2.3: send 1 [1]; recv 1 [0]\n"
             "2.6: recv 1 [1]\n"
             "3.1: send 4 [0]\n"
             "3.4: send 4 [1]; recv 4 [0]\n"
             "3.7: recv 4 [1]\n"
             "4.1: fold left 3 [0]\n"
             "4.2: send 1 [0]; fold left 1 [0]\n"
             "4.4: send 3 [0]; fold left 3 [1]\n"
             "4.5: send 1 [1]; fold left 1 [1]\n"
             "4.7: send 3 [1]\n");
}

TEST_CASE("two roots refuse less than one segment", "[schedule][allreduce][dual_root]") {
    CHECK_THROWS_AS(generate(of<collective::allreduce>, dual_root{0}, place{0, 2, 0}), argument_error);
}

static_assert(std::is_trivially_copyable_v<allreduce_dual_root>, "a generator owns no memory");
