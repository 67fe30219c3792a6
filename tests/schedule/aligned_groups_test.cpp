// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/aligned_groups.hpp>

#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/reduce/tree.hpp>

#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a stretched schedule is the same one in finer blocks, and then idle", "[schedule][stretched]") {
    for (rank_type size = 1; size <= 9; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, [](place at) {
            const auto g = generate(of<collective::allreduce>, ring{}, at);
            return any_generator(stretched(g, g.rounds() + 2, 3 * g.blocks()));
        });
        CHECK(p.rounds == 2 * (size - 1) + 2);
        CHECK(p.sent_blocks == 3 * 2 * (size - 1));
    }
    const allgather_ring g({0, 5, 0});
    CHECK(support::error_of([&] { static_cast<void>(stretched(g, 3, 5)); })
          == "tutti: rounds is 3; allowed: at least 4");
    CHECK(support::error_of([&] { static_cast<void>(stretched(g, 4, 7)); })
          == "tutti: blocks is 7; allowed: a multiple of 5");
}

TEST_CASE("a stretched schedule claims as many times the blocks, where they are stated",
          "[schedule][stretched]") {
    const scripted g({{}}, 2,
                     {.scratch_blocks = 3,
                      .rounds = 1,
                      .sent_blocks = 4,
                      .reduced_blocks = 5,
                      .uniform_rounds = 1,
                      .bounded_from = 0});
    const capabilities claims = stretched(g, 3, 6).claims();
    CHECK(claims.rounds == 3);
    CHECK(claims.scratch_blocks == 9);
    CHECK(claims.sent_blocks == 12);
    CHECK(claims.reduced_blocks == 15);
    CHECK(claims.uniform_rounds == 3);
    CHECK(claims.bounded_from == unstated);
    const capabilities nothing = stretched(scripted({{}, {}}, 2, {.uniform_rounds = 1}), 3, 6).claims();
    CHECK(nothing.sent_blocks == unstated);
    CHECK(nothing.reduced_blocks == unstated);
    CHECK(nothing.uniform_rounds == 1);
}

TEST_CASE("a reduce and a bcast without anything in them are a barrier", "[schedule][emptied]") {
    for (rank_type size = 1; size <= 12; ++size) {
        const proof p = check_proved(collective::barrier, size, 0, [](place at) {
            return any_generator(sequence{emptied(generate(of<collective::reduce>, fnomial{3, 2}, at)),
                                          emptied(generate(of<collective::bcast>, two_tree{2}, at))});
        });
        CHECK(p.sent_blocks == 0);
    }
}

TEST_CASE("a frame holds the schedules of groups of different sizes", "[schedule][frame]") {
    detail::frame both;
    both.add(allgather_ring({0, 3, 0}));
    both.add(allgather_ring({0, 5, 0}));
    CHECK(both.rounds == 4);
    CHECK(both.blocks == 15);
    CHECK(support::error_of([] { static_cast<void>(detail::common_blocks(65537, 65536)); })
          == "tutti: blocks in common to all groups is 4295032832; allowed: at most 2147483647");
}
