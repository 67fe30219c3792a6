// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/multi_lane.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

#include <tutti/schedule/allgather/bruck.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/circulant_pipeline.hpp>
#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/allreduce/circulant.hpp>
#include <tutti/schedule/allreduce/halving_doubling.hpp>
#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/allreduce/tree.hpp>
#include <tutti/schedule/bcast/circulant_pipeline.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/gather/serial.hpp>
#include <tutti/schedule/reduce/tree.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>
#include <tutti/schedule/reduce_scatter/circulant_pipeline.hpp>
#include <tutti/schedule/reduce_scatter/direct.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>
#include <tutti/schedule/scatter/serial.hpp>
#include <tutti/topology/node_traffic.hpp>

#include "support/nodes.hpp"
#include "support/proving_sizes.hpp"
#include "support/refusals.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// Whether both parts claim that they keep the order.
template <collective C, class Inner, class Outer>
bool keep_order(const Inner& inner, const Outer& outer, const node_map& map) {
    return generate(of<collective::reduce_scatter>, inner, {0, map.size_of(0), 0}).claims().order_preserving
           && generate(of<C>, outer, {0, map.nodes(), 0}).claims().order_preserving;
}

/// Proves `inner` and `outer` for C on all nodes of equally many ranks, up to `most` in all, contiguous and
/// dealt out. All claims are as strong as they can be, but for the order where the parts do not claim it.
template <collective C, class Inner, class Outer>
void check_up_to(rank_type most, const Inner& inner, const Outer& outer) {
    for (rank_type nodes = 1; nodes <= most; ++nodes)
        for (rank_type each = 1; nodes * each <= most; ++each) {
            const std::vector<rank_type> sizes(static_cast<std::size_t>(nodes), each);
            for (const node_map& map : {node_map::of_sizes(sizes), support::dealt_out(sizes)}) {
                const auto make = factory_of<multi_lane<Inner, Outer>, C>({map, inner, outer});
                proof p = check_proved(C, map.ranks(), 0, make);
                INFO(name_of(C) << ", nodes " << support::text_of(map));
                p.canonical_tree = false; // two in turn may fold along it; only whole algorithms claim it
                const std::string weak = weak_claims(make({0, map.ranks(), 0}).claims(), p, map.ranks());
                CHECK((weak.empty() || (weak == "order" && !keep_order<C>(inner, outer, map))));
                CHECK(make({0, map.ranks(), 0}).claims().rounds == p.rounds);
            }
        }
}

/// The same of a collective with a root, for every root. The order is kept where what folds keeps it.
template <collective C, class Inner, class Outer>
void check_all_roots_up_to(rank_type most, const Inner& inner, const Outer& outer) {
    for (rank_type nodes = 1; nodes <= most; ++nodes)
        for (rank_type each = 1; nodes * each <= most; ++each) {
            const std::vector<rank_type> sizes(static_cast<std::size_t>(nodes), each);
            for (const node_map& map : {node_map::of_sizes(sizes), support::dealt_out(sizes)})
                for (rank_type root = 0; root < map.ranks(); ++root) {
                    const auto make = factory_of<multi_lane<Inner, Outer>, C>({map, inner, outer});
                    proof p = check_proved(C, map.ranks(), root, make);
                    INFO(name_of(C) << ", nodes " << support::text_of(map) << ", root " << root);
                    p.canonical_tree = false;
                    const capabilities claims = make({0, map.ranks(), root}).claims();
                    bool kept = true;
                    if constexpr (C == collective::reduce) {
                        const place there{.size = nodes, .root = map.node_of(root)};
                        kept = generate(of<collective::reduce_scatter>, inner.reduce_scatter, {0, each, 0})
                                   .claims()
                                   .order_preserving
                               && generate(of<C>, outer, there).claims().order_preserving;
                    }
                    const std::string weak = weak_claims(claims, p, map.ranks());
                    CHECK((weak.empty() || (weak == "order" && !kept)));
                    CHECK(claims.rounds == p.rounds);
                }
        }
}

} // namespace

TEST_CASE("an allreduce in lanes is proved for all equal nodes of up to 24 ranks",
          "[schedule][allreduce][multi_lane]") {
    check_up_to<collective::allreduce>(24, circulant{}, circulant{});
    check_up_to<collective::allreduce>(24, circulant{}, recursive_doubling{});
    check_up_to<collective::allreduce>(16, direct{}, halving_doubling{});
    check_up_to<collective::allreduce>(16, direct{}, fnomial{3, 2});
    check_up_to<collective::allreduce>(16, circulant{}, ring{});
}

TEST_CASE("a reduce_scatter in lanes is proved for all equal nodes of up to 24 ranks",
          "[schedule][reduce_scatter][multi_lane]") {
    check_up_to<collective::reduce_scatter>(24, circulant{}, circulant{});
    check_up_to<collective::reduce_scatter>(16, direct{}, pairwise{});
    check_up_to<collective::reduce_scatter>(16, direct{}, direct{});
    check_up_to<collective::reduce_scatter>(16, circulant_pipeline{2}, circulant_pipeline{3});
    check_up_to<collective::reduce_scatter>(16, circulant_pipeline{3}, circulant{});
}

TEST_CASE("an allgather in lanes is proved for all equal nodes of up to 24 ranks",
          "[schedule][allgather][multi_lane]") {
    check_up_to<collective::allgather>(24, circulant{}, circulant{});
    check_up_to<collective::allgather>(16, direct{}, ring{});
    check_up_to<collective::allgather>(16, direct{}, direct{});
    check_up_to<collective::allgather>(16, circulant_pipeline{2}, circulant_pipeline{3});
    check_up_to<collective::allgather>(16, circulant{}, circulant_pipeline{3});
}

TEST_CASE("a bcast and a reduce in lanes are proved for all equal nodes of up to 24 ranks, and all roots",
          "[schedule][bcast][reduce][multi_lane]") {
    check_all_roots_up_to<collective::bcast>(24, scatter_allgather{}, fnomial{});
    check_all_roots_up_to<collective::bcast>(16, scatter_allgather<ring>{}, fnomial{3, 2});
    check_all_roots_up_to<collective::bcast>(16, scatter_allgather<circulant>{.radix = 3},
                                             circulant_pipeline{.segments = 3});
    check_all_roots_up_to<collective::reduce>(24, reduce_scatter_gather{}, fnomial{});
    check_all_roots_up_to<collective::reduce>(16, reduce_scatter_gather<pairwise>{.radix = 3},
                                              chain{.segments = 3});
}

TEST_CASE("a scatter and a gather in lanes are proved for all equal nodes of up to 24 ranks, and all roots",
          "[schedule][scatter][gather][multi_lane]") {
    check_all_roots_up_to<collective::scatter>(24, fnomial{}, fnomial{});
    check_all_roots_up_to<collective::scatter>(16, serial{}, fnomial{3});
    check_all_roots_up_to<collective::gather>(24, fnomial{}, fnomial{});
    check_all_roots_up_to<collective::gather>(16, serial{}, fnomial{3});
}

TEST_CASE("an allreduce in lanes sends what the bounds allow, all ranks alike",
          "[schedule][allreduce][multi_lane]") {
    // 3 nodes of 4 ranks: 2 * 3/4 of the vector inside, 2 * 2/(3 * 4) between.
    const node_map nodes = node_map::of_sizes({4, 4, 4});
    const auto g =
        generate(of<collective::allreduce>, multi_lane{nodes, circulant{}, circulant{}}, {0, 12, 0});
    CHECK(g.blocks() == 12);
    CHECK(g.rounds() == 2 * (2 + 2));
    CHECK(g.claims().sent_blocks == 2 * 9 + 2 * 2);
    CHECK(g.claims().reduced_blocks == 9 + 2);
    CHECK(g.claims().uniform_rounds == g.rounds());
}

TEST_CASE("a bcast in lanes sends a lane's part from node to node, where leaders send the vector",
          "[schedule][bcast][reduce][multi_lane]") {
    const node_map nodes = node_map::of_sizes({4, 4, 4});
    const auto busiest = [&](const auto& make) {
        const ensemble all(make, 12, 5);
        return traffic_of(all, nodes, block_bytes::even(all.blocks() * 8, all.blocks()));
    };
    const node_traffic lanes =
        busiest(factory_of<multi_lane<scatter_allgather<>, fnomial>, collective::bcast>({.nodes = nodes}));
    CHECK(lanes.bytes_between == 2 * 4 * 8);
    CHECK(lanes.messages_between == 2 * 4);
    const auto claims =
        generate(of<collective::reduce>, multi_lane{nodes, reduce_scatter_gather<>{}, fnomial{}}, {0, 12, 5})
            .claims();
    CHECK(claims.rounds == 2 + 2 + 2);
    CHECK(claims.reduced_blocks == 3 + 2); // of 4
}

TEST_CASE("a bcast and a reduce in lanes of 2 + 2 ranks", "[schedule][bcast][reduce][multi_lane]") {
    const node_map nodes = node_map::of_sizes({2, 2});
    CHECK(schedule_text(
              4, 1, factory_of<multi_lane<scatter_allgather<>, fnomial>, collective::bcast>({.nodes = nodes}))
          == "0.0: recv 1 [0]\n"
             "0.1: send 2 [0]\n"
             "0.2: send 1 [0]; recv 1 [1]\n"
             "1.0: send 0 [0]\n"
             "1.1: send 3 [1]\n"
             "1.2: send 0 [1]; recv 0 [0]\n"
             "2.1: recv 0 [0]\n"
             "2.2: send 3 [0]; recv 3 [1]\n"
             "3.1: recv 1 [1]\n"
             "3.2: send 2 [1]; recv 2 [0]\n");
    CHECK(schedule_text(
              4, 1,
              factory_of<multi_lane<reduce_scatter_gather<>, fnomial>, collective::reduce>({.nodes = nodes}))
          == "0.0: send 1 [1]; fold right 1 [0]\n"
             "0.1: fold right 2 [0]\n"
             "0.2: send 1 [0]\n"
             "1.0: send 0 [0]; fold right 0 [1]\n"
             "1.1: fold right 3 [1]\n"
             "1.2: recv 0 [0]\n"
             "2.0: send 3 [1]; fold right 3 [0]\n"
             "2.1: send 0 [0]\n"
             "3.0: send 2 [0]; fold right 2 [1]\n"
             "3.1: send 1 [1]\n");
}

TEST_CASE("a scatter in lanes of 2 + 2 ranks", "[schedule][scatter][gather][multi_lane]") {
    const node_map nodes = node_map::of_sizes({2, 2});
    CHECK(schedule_text(4, 1, factory_of<multi_lane<fnomial, fnomial>, collective::scatter>({.nodes = nodes}))
          == "0.0: recv 1 [0]; recv 1 [2]\n"
             "0.1: send 2 [2]\n"
             "1.0: send 0 [0]; send 0 [2]\n"
             "1.1: send 3 [3]\n"
             "2.1: recv 0 [2]\n"
             "3.1: recv 1 [3]\n");
}

TEST_CASE("an allreduce in lanes of 2 + 2 ranks", "[schedule][allreduce][multi_lane]") {
    const node_map nodes = node_map::of_sizes({2, 2});
    CHECK(schedule_text(
              4, 0,
              factory_of<multi_lane<circulant, recursive_doubling>, collective::allreduce>({.nodes = nodes}))
          == "0.0: send 1 [1]; fold right 1 [0]\n"
             "0.1: send 2 [0]; fold right 2 [0]\n"
             "0.2: send 1 [0]; recv 1 [1]\n"
             "1.0: send 0 [0]; fold right 0 [1]\n"
             "1.1: send 3 [1]; fold right 3 [1]\n"
             "1.2: send 0 [1]; recv 0 [0]\n"
             "2.0: send 3 [1]; fold right 3 [0]\n"
             "2.1: send 0 [0]; fold left 0 [0]\n"
             "2.2: send 3 [0]; recv 3 [1]\n"
             "3.0: send 2 [0]; fold right 2 [1]\n"
             "3.1: send 1 [1]; fold left 1 [1]\n"
             "3.2: send 2 [1]; recv 2 [0]\n");
}

TEST_CASE("an allgather in lanes of ranks that are dealt to 2 nodes", "[schedule][allgather][multi_lane]") {
    const node_map nodes = node_map({0, 1, 0, 1});
    CHECK(schedule_text(4, 0, factory_of<multi_lane<ring, ring>, collective::allgather>({.nodes = nodes}))
          == "0.0: send 1 [0]; recv 1 [1]\n"
             "0.1: send 2 [0..1]; recv 2 [2..3]\n"
             "1.0: send 0 [1]; recv 0 [0]\n"
             "1.1: send 3 [0..1]; recv 3 [2..3]\n"
             "2.0: send 3 [2]; recv 3 [3]\n"
             "2.1: send 0 [2..3]; recv 0 [0..1]\n"
             "3.0: send 2 [3]; recv 2 [2]\n"
             "3.1: send 1 [2..3]; recv 1 [0..1]\n");
}

TEST_CASE("lanes need nodes of equally many ranks, and as many ranks as there are",
          "[schedule][multi_lane]") {
    const auto refusal = [](const node_map& nodes, rank_type size) {
        return support::error_of([&] {
            static_cast<void>(generate(of<collective::allreduce>, multi_lane<circulant, ring>{.nodes = nodes},
                                       {0, size, 0}));
        });
    };
    CHECK(refusal(node_map::of_sizes({2, 2}), 4) == "");
    CHECK(refusal(node_map::of_sizes({3, 5}), 8)
          == "tutti: nodes is of 3 to 5 ranks; allowed: of equally many ranks");
    CHECK(refusal(node_map::of_sizes({2, 2}), 5)
          == "tutti: size is 5; allowed: 4, the number of ranks on the nodes");
}
