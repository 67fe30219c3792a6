// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/node_traffic.hpp>

#include <cstdint>

#include <tutti/core/block_bytes.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/multi_lane.hpp>
#include <tutti/schedule/parts_by_nodes.hpp>
#include <tutti/schedule/scan_by_nodes.hpp>

#include "support/catch2.hpp"
#include "support/nodes.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t length = 8 * 5040; // as many bytes of every block, for all numbers of blocks here

template <makes_generators Make>
node_traffic traffic(const Make& make, const node_map& nodes, rank_type root = 0) {
    const ensemble all(make, nodes.ranks(), root);
    return traffic_of(all, nodes, block_bytes::even(length, all.blocks()));
}

template <collective C, class Algorithm>
node_traffic traffic(const Algorithm& how, const node_map& nodes, rank_type root = 0) {
    return traffic([&](place at) { return any_generator(generate(of<C>, how, at)); }, nodes, root);
}

} // namespace

TEST_CASE("traffic inside nodes and between them is counted by message", "[topology][nodes]") {
    CHECK(traffic<collective::allgather>(ring{}, node_map::of_sizes({3, 2})) // the example of the header
          == node_traffic{12, 12 * length / 5, 8, 8 * length / 5});
}

TEST_CASE("by nodes, no vector comes to a node or leaves it twice", "[topology][nodes]") {
    for (rank_type size = 1; size <= 9; ++size)
        support::for_each_composition(size, [&](const std::vector<rank_type>& sizes) {
            for (const node_map& nodes : {node_map::of_sizes(sizes), support::dealt_out(sizes)}) {
                const std::int64_t others = nodes.nodes() - 1;
                for (rank_type root = 0; root < size; ++root) {
                    const node_traffic down = traffic<collective::bcast>(by_nodes<>{nodes}, nodes, root);
                    const node_traffic up = traffic<collective::reduce>(by_nodes<>{nodes}, nodes, root);
                    CHECK(down.messages_between == others);
                    CHECK(down.bytes_between == others * length);
                    CHECK(up.messages_between == others);
                    CHECK(up.bytes_between == others * length);
                }
                const node_traffic both = traffic<collective::allreduce>(by_nodes<>{nodes}, nodes);
                CHECK(both.messages_between == 2 * others);
                CHECK(both.bytes_between == 2 * others * length);
            }
            const node_map nodes = node_map::of_sizes(sizes);
            const by_nodes along{nodes, binary_tree{}, chain{1}};
            for (const node_traffic& scanned :
                 {traffic<collective::scan>(along, nodes), traffic<collective::exscan>(along, nodes)}) {
                CHECK(scanned.messages_between == nodes.nodes() - 1);
                CHECK(scanned.bytes_between == (nodes.nodes() - 1) * length);
            }
        });
}

TEST_CASE("lanes send as little between nodes as leaders do", "[topology][nodes]") {
    const node_map nodes = node_map::of_sizes({4, 4, 4});
    const node_traffic lanes = traffic<collective::allreduce>(multi_lane{nodes, circulant{}, ring{}}, nodes);
    const node_traffic leaders = traffic<collective::allreduce>(by_nodes{nodes, fnomial{}, ring{}}, nodes);
    CHECK(lanes.bytes_between == 2 * 2 * length);
    CHECK(leaders.bytes_between == lanes.bytes_between);
    CHECK(lanes.messages_between == 4 * leaders.messages_between); // each of a quarter of the length
}

TEST_CASE("by nodes, less goes between nodes than by any other algorithm", "[topology][nodes]") {
    for (const node_map& nodes :
         {node_map::of_sizes({2, 2}), node_map::of_sizes({3, 5}), node_map::of_sizes({1, 7}),
          support::dealt_out({2, 2}), support::dealt_out({3, 5}), support::dealt_out({1, 7})}) {
        const node_traffic bcast = traffic<collective::bcast>(by_nodes<>{nodes}, nodes);
        const node_traffic reduce = traffic<collective::reduce>(by_nodes<>{nodes}, nodes);
        const node_traffic allreduce = traffic<collective::allreduce>(by_nodes<>{nodes}, nodes);
        const node_traffic barrier =
            traffic<collective::barrier>(by_nodes{nodes, fnomial{}, dissemination{}}, nodes);
        const by_nodes<fnomial, circulant> of_parts{nodes, {}, {}};
        const node_traffic gather = traffic<collective::gather>(by_nodes<>{nodes}, nodes);
        const node_traffic scatter = traffic<collective::scatter>(by_nodes<>{nodes}, nodes);
        const node_traffic reduce_scatter = traffic<collective::reduce_scatter>(of_parts, nodes);
        const node_traffic allgather = traffic<collective::allgather>(of_parts, nodes);
        for (const catalogue_entry& e : catalogue()) {
            const node_traffic* best = e.what == collective::bcast            ? &bcast
                                       : e.what == collective::reduce         ? &reduce
                                       : e.what == collective::allreduce      ? &allreduce
                                       : e.what == collective::barrier        ? &barrier
                                       : e.what == collective::gather         ? &gather
                                       : e.what == collective::scatter        ? &scatter
                                       : e.what == collective::reduce_scatter ? &reduce_scatter
                                       : e.what == collective::allgather      ? &allgather
                                                                              : nullptr;
            if (best == nullptr) continue;
            const node_traffic flat = traffic([&](place at) { return e.make(at, {}); }, nodes);
            INFO(name_of(e.what) << " " << e.name << ", nodes " << support::text_of(nodes));
            CHECK(best->bytes_between <= flat.bytes_between);
            CHECK(best->messages_between <= flat.messages_between);
        }
    }
}
