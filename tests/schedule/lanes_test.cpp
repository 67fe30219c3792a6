// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/lanes.hpp>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/allgather/circulant_pipeline.hpp>
#include <tutti/schedule/allgather/ring.hpp>

#include "support/catch2.hpp"
#include "support/combined_claims.hpp"

using namespace tutti;

TEST_CASE("what runs on blocks that several ranks own cuts those of all ranks alike", "[schedule][lanes]") {
    const node_map nodes = node_map::of_sizes({2, 2});
    CHECK_THROWS_WITH(detail::on_owned(generate(of<collective::allgather>, ring{}, {0, 3, 0}), 2,
                                       detail::blocks_of_nodes{nodes}, 4, 1),
                      "tutti: blocks is 3; allowed: a multiple of 2, as many for each rank");
    const auto in_two = generate(of<collective::allgather>, circulant_pipeline{2}, {0, 2, 0});
    const auto in_three = generate(of<collective::allgather>, circulant_pipeline{3}, {0, 3, 0});
    CHECK(detail::common_pieces(in_two, 2, in_three, 3) == 6);
    CHECK(detail::on_owned(in_two, 2, detail::blocks_of_nodes{nodes}, 4, 6).blocks() == 24);
    const auto vast = generate(of<collective::allgather>, circulant_pipeline{1 << 16}, {0, 2, 0});
    const auto odd = generate(of<collective::allgather>, circulant_pipeline{(1 << 16) - 1}, {0, 3, 0});
    CHECK_THROWS_WITH(detail::common_pieces(vast, 2, odd, 3),
                      Catch::Contains("blocks in common to all groups"));
}

TEST_CASE("phases in turn claim what both do, and the sum of what they are alike in", "[schedule][lanes]") {
    const node_map nodes = node_map::of_sizes({2, 2});
    const auto in_turn = [&](const capabilities& a, const capabilities& b) {
        return detail::in_turn(nodes, a, b);
    };
    CHECK(support::combined(&capabilities::any_size, in_turn) == support::claimed_if_by_both);
    CHECK(support::combined(&capabilities::order_preserving, in_turn) == support::claimed_if_by_both);
    CHECK(support::combined(&capabilities::moves_blocks, in_turn) == support::claimed_if_by_any);
    const auto mixed = [](const capabilities& a) { // of ranks that lie on nodes by turns no order is kept
        return detail::in_turn(node_map({0, 1, 0, 1}), a, a).order_preserving;
    };
    CHECK_FALSE(mixed({.order_preserving = true}));

    const capabilities first{
        .scratch_blocks = 2, .rounds = 3, .sent_blocks = 5, .reduced_blocks = 7, .uniform_rounds = 3};
    const capabilities second{
        .scratch_blocks = 4, .rounds = 2, .sent_blocks = 11, .reduced_blocks = 13, .uniform_rounds = 2};
    const capabilities both = in_turn(first, second);
    CHECK(both.scratch_blocks == 4);
    CHECK(both.rounds == 5);
    CHECK(both.sent_blocks == 16);
    CHECK(both.reduced_blocks == 20);
    CHECK(both.uniform_rounds == 5);
    capabilities uneven = second;
    uneven.uniform_rounds = 1;
    for (const capabilities& all : {in_turn(first, uneven), in_turn(uneven, first)}) {
        CHECK(all.sent_blocks == unstated);
        CHECK(all.reduced_blocks == unstated);
    }
    CHECK(in_turn(first, uneven).uniform_rounds == 4);
    CHECK(in_turn(uneven, first).uniform_rounds == 1);
    capabilities unknown = second;
    unknown.sent_blocks = unstated;
    for (const capabilities& all : {in_turn(first, unknown), in_turn(unknown, first)}) {
        CHECK(all.sent_blocks == unstated);
        CHECK(all.reduced_blocks == 20);
    }
}
