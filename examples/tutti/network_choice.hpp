// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tutti/render/network_plan.hpp>
#include <tutti/render/schedule_html.hpp>
#include <tutti/topology/dragonfly.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/placement.hpp>
#include <tutti/topology/torus.hpp>

#include "arguments.hpp"

/// Which network, how messages find their way through it, and where the ranks are: options that more than one
/// verb can take.
namespace program {

inline constexpr option fat_tree_option{"--fat-tree", "K,N", "the K-ary N-tree: K^N nodes"};
inline constexpr option xgft_option{"--xgft", "M1,..;W1,..",
                                    "a fat-tree by children and parents per level, as in \"4,4,4;1,4,2\""};
inline constexpr option torus_option{"--torus", "N1,N2,..", "a torus of so many nodes in each dimension"};
inline constexpr option dragonfly_option{
    "--dragonfly", "A,P,H[,G]", "G groups of A routers, each with P nodes and H links to other groups"};
inline constexpr option routing_option{"--routing", "NAME",
                                       "of fat-trees: d-mod-k (default), s-mod-k, adaptive"};
inline constexpr option missing_option{"--missing", "LIST", "nodes that are not there, as in 5,9..12"};
inline constexpr option ranks_option{"--ranks", "N",
                                     "ranks, one per node, on the first nodes; all by default"};

/// The network that the user wants.
struct network_choice {
    std::variant<tutti::routed_fat_tree, tutti::torus, tutti::dragonfly> on;
    std::string name;      ///< "4-ary 3-tree"
    std::string routing;   ///< "d-mod-k"
    bool adaptive = false; ///< messages seek their way up a fat-tree; what is routed in `on` does not count

    tutti::node_type nodes() const {
        return std::visit([](const auto& n) { return n.nodes(); }, on);
    }
    tutti::link_index links() const {
        return std::visit([](const auto& n) { return n.links(); }, on);
    }
    /// What its links are called.
    std::vector<std::string> link_names() const {
        return std::visit([](const auto& n) { return tutti::link_names(n); }, on);
    }
    /// Where its parts lie in a picture.
    tutti::network_plan plan() const {
        return std::visit([](const auto& n) { return plan_of(n); }, on);
    }
    /// With ranks so placed, for a page.
    tutti::page_network on_page(const tutti::placement& where) const {
        return std::visit([&](const auto& n) { return tutti::network_on_page(n, where, name, routing); }, on);
    }
    /// Null if the network is none.
    const tutti::fat_tree* fat_tree() const {
        const auto* routed = std::get_if<tutti::routed_fat_tree>(&on);
        return routed != nullptr ? &routed->tree() : nullptr;
    }
};

network_choice chosen_network(const arguments& given);

/// By --missing and --ranks: the ranks on the nodes that are present, in their order.
tutti::placement chosen_placement(const arguments& given, tutti::node_type nodes);

/// "4,4,-1": numbers with commas between, in the order given; `shape` is what the error says is allowed.
std::vector<std::int32_t> integers(std::string_view option_name, std::string_view text,
                                   const std::string& shape);

} // namespace program
