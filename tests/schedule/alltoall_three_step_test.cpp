// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/three_step.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

#include <tutti/render/schedule_text.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/multi_lane.hpp>
#include <tutti/topology/node_traffic.hpp>

#include "support/nodes.hpp"
#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

constexpr auto what = collective::alltoall;

std::vector<rank_type> alike(rank_type nodes, rank_type each) {
    return std::vector<rank_type>(static_cast<std::size_t>(nodes), each);
}

node_traffic traffic(const node_map& nodes) {
    const ensemble all(factory_of<three_step, what>({nodes}), nodes.ranks(), 0);
    return traffic_of(all, nodes, block_bytes::even(all.blocks() * 8, all.blocks()));
}

void check_on(const node_map& nodes) {
    const auto make = factory_of<three_step, what>({nodes});
    INFO("nodes " << support::text_of(nodes));
    const proof p = check_proved(what, nodes.ranks(), 0, make);
    const capabilities claims = make({0, nodes.ranks(), 0}).claims();
    CHECK(claims.rounds == p.rounds);
    CHECK(claims.scratch_blocks == p.scratch_blocks);
    CHECK(claims.sent_blocks == p.sent_blocks);
    CHECK(weak_claims(claims, p, nodes.ranks()) == "");
}

} // namespace

TEST_CASE("an alltoall in three steps is proved for all equal nodes of up to 70 ranks",
          "[schedule][alltoall][three_step]") {
    for (rank_type nodes = 1; nodes <= 70; ++nodes)
        for (rank_type each = 1; nodes * each <= 70; ++each) {
            check_on(node_map::of_sizes(alike(nodes, each)));
            check_on(support::dealt_out(alike(nodes, each)));
        }
    check_on(node_map({0, 0, 1, 1, 0, 2, 1, 2, 3, 3, 2, 3})); // some next to each other, some not
}

TEST_CASE(
    "an alltoall in three steps has n - 1 + s - gcd(n - 1, s) messages of a node to others, and sends no "
    "block there twice",
    "[schedule][alltoall][three_step]") {
    for (rank_type nodes = 2; nodes <= 9; ++nodes)
        for (rank_type each = 1; each <= 6; ++each) {
            INFO(nodes << " nodes of " << each);
            const node_map map = node_map::of_sizes(alike(nodes, each));
            const node_traffic by = traffic(map);
            const rank_type others = nodes - 1;
            CHECK(by.messages_between == std::int64_t{nodes} * (others + each - std::gcd(others, each)));
            CHECK(by.bytes_between == std::int64_t{nodes} * others * each * each * 8);
        }
    // As few as there can be: one for each two nodes and direction, 2 from every rank.
    CHECK(traffic(node_map::of_sizes(alike(9, 4))).messages_between == 9 * 8);
    // Where each rank has one other node, what each sends there is all its own, as in lanes.
    const node_map two = node_map::of_sizes({3, 3});
    const ensemble lanes(factory_of<multi_lane<pairwise>, what>({two, {}, {}}), 6, 0);
    CHECK(traffic(two).messages_between == traffic_of(lanes, two, block_bytes::even(48, 6)).messages_between);
}

TEST_CASE("in an alltoall in three steps all ranks send as much between nodes",
          "[schedule][alltoall][three_step]") {
    const node_map nodes = node_map::of_sizes(alike(6, 4));
    for (rank_type rank = 0; rank < 24; ++rank) {
        const alltoall_three_step g(nodes, {.rank = rank, .size = 24});
        block_index sent = 0;
        for (round_index i = 0; i < g.rounds(); ++i)
            g.emit(i, [&](const step& s) {
                if (s.kind == step_kind::send && nodes.node_of(s.peer) != nodes.node_of(rank))
                    sent += s.blocks.count;
            });
        CHECK(sent == 20);
    }
}

TEST_CASE("an alltoall in three steps of 2 + 2 + 2 ranks", "[schedule][alltoall][three_step]") {
    const ensemble all(factory_of<three_step, what>({node_map::of_sizes({2, 2, 2})}), 6, 0);
    CHECK(tutti::schedule_text(all, 0)
          == "round 0: copy block 0 of input to work\n"
             "         send blocks 1 4 5 of input to 1\n"
             "         recv blocks 1 into work, 2 3 into scratch from 1\n"
             "round 1: send blocks 2 3 of input, 2 3 of scratch to 2\n"
             "         recv blocks 4 into work, 1 into scratch_1, 5 into work, 3 into scratch_1 from 4\n"
             "round 2: send blocks 1 3 of scratch_1 to 1\n"
             "         recv blocks 2 3 from 1\n");
    CHECK(tutti::schedule_text(all, 5)
          == "round 0: copy block 5 of input to work\n"
             "         send blocks 4 0 1 of input to 4\n"
             "         recv blocks 4 into work, 0 1 into scratch from 4\n"
             "round 1: send blocks 0 1 of scratch, 2 3 of input to 3\n"
             "         recv blocks 0 into scratch_1, 0 into work, 2 into scratch_1, 1 into work from 1\n"
             "round 2: send blocks 0 2 of scratch_1 to 4\n"
             "         recv blocks 2 3 from 4\n");
}

TEST_CASE("three steps need nodes of equally many ranks, and as many ranks as there are",
          "[schedule][alltoall][three_step]") {
    const auto refusal = [](const node_map& nodes, rank_type size) {
        return support::error_of([&] {
            static_cast<void>(generate(of<what>, three_step{nodes}, {0, size, 0}));
        });
    };
    CHECK(refusal(node_map::of_sizes({2, 2}), 4) == "");
    CHECK(refusal(node_map::of_sizes({3, 5}), 8)
          == "tutti: nodes is of 3 to 5 ranks; allowed: of equally many ranks");
    CHECK(refusal(node_map::of_sizes({2, 2}), 5)
          == "tutti: size is 5; allowed: 4, the number of ranks on the nodes");
}
