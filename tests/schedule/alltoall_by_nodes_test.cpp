// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/by_nodes.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/schedule/alltoall/bruck.hpp>
#include <tutti/schedule/alltoall/circulant.hpp>
#include <tutti/schedule/alltoall/kprefix.hpp>
#include <tutti/schedule/alltoall/kshift.hpp>
#include <tutti/schedule/alltoall/mesh2d.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/prefix_send.hpp>
#include <tutti/schedule/multi_lane.hpp>
#include <tutti/topology/node_traffic.hpp>

#include "support/nodes.hpp"
#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

using straight = by_nodes<pairwise>;
constexpr auto what = collective::alltoall;

void check_on(const node_map& nodes) {
    const auto make = factory_of<straight, what>({nodes, {}, {}});
    INFO("nodes " << support::text_of(nodes));
    const proof p = check_proved(what, nodes.ranks(), 0, make);
    const capabilities claims = make({0, nodes.ranks(), 0}).claims();
    CHECK(claims.rounds == p.rounds);
    if (nodes.ranks() <= 2) CHECK(claims.reads_input == p.reads_input);
}

template <class Inner, class Outer>
void check_lanes_up_to(rank_type most, const Inner& inner, const Outer& outer) {
    for (rank_type nodes = 1; nodes <= most; ++nodes)
        for (rank_type each = 1; nodes * each <= most; ++each) {
            const std::vector<rank_type> sizes(static_cast<std::size_t>(nodes), each);
            for (const node_map& map : {node_map::of_sizes(sizes), support::dealt_out(sizes)}) {
                const auto make = factory_of<multi_lane<Inner, Outer>, what>({map, inner, outer});
                INFO("nodes " << support::text_of(map));
                const proof p = check_proved(what, map.ranks(), 0, make);
                CHECK(p.scratch_blocks == map.ranks());
                const std::string weak = weak_claims(make({0, map.ranks(), 0}).claims(), p, map.ranks());
                CHECK((weak.empty() || (weak == "uniform" && !map.contiguous())));
            }
        }
}

template <makes_generators Make>
node_traffic traffic(const Make& make, const node_map& nodes) {
    const ensemble all(make, nodes.ranks(), 0);
    return traffic_of(all, nodes, block_bytes::even(all.blocks() * 8, all.blocks()));
}

} // namespace

TEST_CASE("an alltoall by nodes is proved for all nodes of up to 11 ranks",
          "[schedule][alltoall][by_nodes]") {
    for (rank_type size = 1; size <= 11; ++size)
        support::for_each_composition(size, [&](const std::vector<rank_type>& sizes) {
            check_on(node_map::of_sizes(sizes));
            check_on(support::dealt_out(sizes));
        });
}

TEST_CASE("an alltoall by nodes is proved for up to 70 ranks, on few nodes and many, alike and not",
          "[schedule][alltoall][by_nodes]") {
    support::for_some_layouts_of_many([](const std::vector<rank_type>& sizes) {
        check_on(node_map::of_sizes(sizes));
        check_on(support::dealt_out(sizes));
    });
}

TEST_CASE("an alltoall in lanes is proved for all equal nodes of up to 24 ranks, and of 70",
          "[schedule][alltoall][multi_lane]") {
    check_lanes_up_to(24, pairwise{}, pairwise{});
    check_lanes_up_to(24, bruck{}, bruck{3});
    check_lanes_up_to(16, circulant{}, pairwise{});
    check_lanes_up_to(12, kshift{.k = 3}, kprefix{.k = 2});
    for (const rank_type each : {2, 5, 7, 10, 35}) {
        const node_map nodes =
            node_map::of_sizes(std::vector<rank_type>(static_cast<std::size_t>(70 / each), each));
        check_proved(what, 70, 0, factory_of<multi_lane<bruck, pairwise>, what>({nodes, {}, {}}));
    }
}

TEST_CASE(
    "an alltoall by nodes, or in lanes, has one message for each rank and other node, and sends no block "
    "there twice",
    "[schedule][alltoall][by_nodes][multi_lane]") {
    for (const node_map& nodes :
         {node_map::of_sizes({2, 2}), node_map::of_sizes({3, 5}), node_map::of_sizes({1, 7}),
          support::dealt_out({3, 5}), node_map::of_sizes({4, 4, 4}), node_map::of_sizes({1, 6, 2, 2})}) {
        INFO("nodes " << support::text_of(nodes));
        const node_traffic flat = traffic(factory_of<pairwise, what>(), nodes);
        const node_traffic by = traffic(factory_of<straight, what>({nodes, {}, {}}), nodes);
        CHECK(by.messages_between == std::int64_t{nodes.ranks()} * (nodes.nodes() - 1));
        CHECK(by.messages_between < flat.messages_between);
        CHECK(by.bytes_between == flat.bytes_between);
        if (!nodes.all_alike()) continue;
        const node_traffic lanes = traffic(factory_of<multi_lane<pairwise>, what>({nodes, {}, {}}), nodes);
        CHECK(lanes.messages_between == by.messages_between);
        CHECK(lanes.bytes_between == flat.bytes_between);
    }
}

TEST_CASE("an alltoall by nodes of 2 + 1 ranks", "[schedule][alltoall][by_nodes]") {
    const node_map nodes = node_map::of_sizes({2, 1});
    CHECK(schedule_text(3, 0, factory_of<straight, what>({nodes, {}, {}}))
          == "0.0: copy [0]; send 2 [2]; recv 2 [2]; recv 2 [1]\n"
             "0.1: send 1 [1]; send 1 [1]; recv 1 [1]\n"
             "1.0: copy [1]; send 2 [2]\n"
             "1.1: send 0 [0]; recv 0 [0]; recv 0 [2]\n"
             "2.0: copy [2]; send 0 [0..1]; recv 0 [0]; recv 1 [1]\n");
}

TEST_CASE("lanes of an alltoall take what needs no scratch, and nodes that are alike",
          "[schedule][alltoall][multi_lane]") {
    CHECK(support::error_of([] {
              static_cast<void>(generate(
                  of<what>, multi_lane{node_map::of_sizes({4, 4}), mesh2d{}, pairwise{}}, {0, 8, 0}));
          })
          == "tutti: scratch blocks of a part is 1; allowed: 0: what is between the parts lies there");
    CHECK(support::error_of([] {
              static_cast<void>(
                  generate(of<what>, by_nodes<pairwise>{node_map::of_sizes({4, 3}), {}, {}}, {0, 8, 0}));
          })
          == "tutti: size is 8; allowed: 7, the number of ranks on the nodes");
}
