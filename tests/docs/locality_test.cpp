// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include "support/catch2.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/multi_lane.hpp>
#include <tutti/simulate/simulate.hpp>
#include <tutti/topology/congestion.hpp>
#include <tutti/topology/dragonfly.hpp>
#include <tutti/topology/fat_tree.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/placement.hpp>

#include "support/document.hpp"

// The tables of docs/locality.md, computed again. If a line is wrong, the test prints it as it has to be.

using namespace tutti;

namespace {

constexpr std::int64_t vector_bytes = 1 << 20;

/// Links on a message's way; the messages on the fullest link of any round; the vectors over the fullest
/// links, round after round; and when the last rank is done, simulated.
template <network N, class Make>
std::string row(const N& on, rank_type ranks, collective what, std::string_view name, const Make& make) {
    const ensemble<any_generator> all(make, ranks);
    const placement where = placement::compact(on.nodes(), ranks, {});
    const auto bytes = block_bytes::even(vector_bytes, all.blocks());
    const schedule_congestion loads =
        congestion_of_schedule(on, where, make, block_layout::even(vector_bytes, all.blocks()));
    std::int64_t hops = 0;
    std::int64_t messages = 0;
    for (const round_congestion& round : loads.rounds) {
        hops += round.hops;
        messages += round.messages;
    }
    const double us = simulate(all, bytes, on, where).completion_us();
    return "| " + std::string(name_of(what)) + " | " + std::string(name) + " | "
           + std::to_string(all.rounds()) + " | "
           + support::fixed(static_cast<double>(hops) / static_cast<double>(messages), 2) + " | "
           + std::to_string(loads.worst.max_load) + " | "
           + support::fixed(static_cast<double>(loads.serial_bytes) / static_cast<double>(vector_bytes), 2)
           + " | " + support::fixed(us / 1000, 1) + " |\n";
}

/// An algorithm for ranks on nodes.
template <collective C, class Algorithm>
any_generator on_nodes(const node_map& nodes, place at) {
    return any_generator::made_by([&] { return generate(of<C>, Algorithm{nodes, {}, {}}, at); });
}

struct line {
    collective what;
    std::string_view name;
    bool few_messages = true;                                    ///< of the order of p log p, not p^2
    any_generator (*on_nodes)(const node_map&, place) = nullptr; ///< if it is none of the catalogue
    int message_blocks = 0;                                      ///< option of that name: none
};
const std::vector<line> lines{
    {collective::allgather, "distance_halving"},
    {collective::allgather, "swing"},
    {collective::allgather, "sparbit"},
    {collective::allgather, "sparbit", true, nullptr, 64},
    {collective::allgather, "recursive_doubling"},
    {collective::allgather, "circulant"},
    {collective::allgather, "bruck"},
    {collective::allgather, "ring", false},
    {collective::allgather, "bidirectional_ring", false},
    {collective::allgather, "multi_lane", true, &on_nodes<collective::allgather, multi_lane<circulant>>},
    {collective::reduce_scatter, "distance_doubling"},
    {collective::reduce_scatter, "swing"},
    {collective::reduce_scatter, "sparbit"},
    {collective::reduce_scatter, "sparbit", true, nullptr, 64},
    {collective::reduce_scatter, "recursive_halving"},
    {collective::reduce_scatter, "circulant"},
    {collective::reduce_scatter, "multi_lane", true,
     &on_nodes<collective::reduce_scatter, multi_lane<circulant>>},
    {collective::allreduce, "halving_doubling"},
    {collective::allreduce, "swing"},
    {collective::allreduce, "swing_latency"},
    {collective::allreduce, "sparbit"},
    {collective::allreduce, "sparbit", true, nullptr, 64},
    {collective::allreduce, "circulant"},
    {collective::allreduce, "recursive_doubling"},
    {collective::allreduce, "multi_lane", true, &on_nodes<collective::allreduce, multi_lane<circulant>>},
    {collective::allreduce, "by_nodes", true, &on_nodes<collective::allreduce, by_nodes<fnomial, circulant>>},
    {collective::reduce, "bine_tree"},
    {collective::reduce, "fnomial"},
    {collective::reduce, "canonical_doubling"},
    {collective::reduce, "halving_doubling"},
    {collective::reduce, "reduce_scatter_gather"},
    {collective::reduce, "by_nodes", true, &on_nodes<collective::reduce, by_nodes<fnomial>>},
    {collective::gather, "bine_tree"},
    {collective::gather, "fnomial"},
    {collective::bcast, "bine_tree"},
    {collective::bcast, "fnomial"},
    {collective::bcast, "scatter_allgather"},
    {collective::bcast, "by_nodes", true, &on_nodes<collective::bcast, by_nodes<fnomial>>},
};

} // namespace

TEST_CASE("the tables of locality are what is computed and simulated", "[docs]") {
    const std::string text = support::text_of("docs/locality.md");
    // `near` ranks that follow each other are one node to those that are for nodes.
    const auto check = [&](const auto& on, rank_type ranks, rank_type near, std::string_view heading,
                           bool with_many) {
        const node_map nodes =
            node_map::of_sizes(std::vector<rank_type>(static_cast<std::size_t>(ranks / near), near));
        std::string table;
        for (const line& l : lines) {
            if (!l.few_messages && !with_many) continue;
            const catalogue_entry* const entry = find_algorithm(l.what, l.name);
            REQUIRE((entry == nullptr) == (l.on_nodes != nullptr));
            parameters given;
            std::string name{l.name};
            if (l.message_blocks != 0) {
                given.set("message_blocks", l.message_blocks);
                name += ", " + std::to_string(l.message_blocks) + " blocks";
            }
            table += row(on, ranks, l.what, name, [&](place at) {
                return entry == nullptr ? l.on_nodes(nodes, at) : entry->make(at, given);
            });
        }
        INFO(heading << ": the table has to be\n" << table);
        const std::size_t begin = text.find(heading);
        REQUIRE(begin != std::string::npos);
        const std::string section = text.substr(begin, text.find("\n## ", begin) - begin);
        CHECK(section.find("|\n" + table + "\n") != std::string::npos);
    };
    check(routed_fat_tree(fat_tree::kary(16, 3)), 4096, 16, "## A 16-ary 3-tree", false);
    check(routed_fat_tree(fat_tree({16, 16, 16}, {1, 8, 4})), 4096, 16, "## The same tree, tapered", false);
    check(dragonfly({.routers = 8, .nodes = 4, .globals = 4}), 1024, 32, "## A dragonfly", true);
}
