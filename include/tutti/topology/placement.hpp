// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/slots.hpp>
#include <tutti/topology/network.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <string>
#endif

namespace tutti {

/// Which node of a network each rank runs on: one rank per node, some nodes perhaps without. Immutable;
/// copies are cheap. Example with 5 ranks, compact on 8 nodes of which 2, 5 and 6 are missing: nodes
/// 0,1,3,4,7.
class placement {
public:
    /// Rank i on the i-th node that is present, as many ranks as there are present nodes.
    static placement compact(node_type nodes, const std::vector<node_type>& missing = {});
    /// The same with `ranks` ranks only, on the first present nodes.
    static placement compact(node_type nodes, rank_type ranks, const std::vector<node_type>& missing);
    /// Rank i on node_of[i]: any order, no node twice.
    static placement on_nodes(node_type nodes, std::vector<node_type> node_of);

    /// How many ranks are placed.
    rank_type ranks() const noexcept { return slots_.ranks(); }
    node_type nodes() const noexcept { return slots_.slots(); }
    /// The node of a rank.
    node_type node_of(rank_type rank) const noexcept { return slots_.slot_of(rank); }
    /// no_rank on a node without one.
    rank_type rank_at(node_type node) const noexcept { return slots_.rank_at(node); }

    /// The nodes as slots, for strategies that keep to the places of the ranks.
    const slot_map& slots() const noexcept { return slots_; }

private:
    placement(node_type nodes, std::vector<node_type> node_of) : slots_(nodes, std::move(node_of), "node") {}

    static void check_nodes(node_type nodes) {
        if (nodes < 1) detail::throw_argument("nodes", nodes, "at least 1");
    }
    static std::vector<node_type> present_nodes(node_type nodes, const std::vector<node_type>& missing);

    slot_map slots_;
};

#if TUTTI_BODIES
TUTTI_BODY placement placement::compact(node_type nodes, const std::vector<node_type>& missing) {
    std::vector<node_type> present = present_nodes(nodes, missing);
    return placement(nodes, std::move(present));
}

TUTTI_BODY placement placement::compact(node_type nodes, rank_type ranks,
                                        const std::vector<node_type>& missing) {
    std::vector<node_type> present = present_nodes(nodes, missing);
    const auto most = static_cast<rank_type>(present.size());
    if (ranks < 1 || ranks > most)
        detail::throw_argument("ranks", ranks,
                               detail::sentence({"1..", most, ", the nodes present of ", nodes}));
    present.resize(static_cast<std::size_t>(ranks));
    return placement(nodes, std::move(present));
}

TUTTI_BODY placement placement::on_nodes(node_type nodes, std::vector<node_type> node_of) {
    check_nodes(nodes);
    if (node_of.empty()) detail::throw_argument("ranks", 0, "at least 1");
    if (node_of.size() > static_cast<std::size_t>(nodes))
        detail::throw_argument("ranks", static_cast<std::int64_t>(node_of.size()),
                               detail::sentence({"1..", nodes, ", the nodes of the network"}));
    return placement(nodes, std::move(node_of));
}

TUTTI_BODY std::vector<node_type> placement::present_nodes(node_type nodes,
                                                           const std::vector<node_type>& missing) {
    check_nodes(nodes);
    std::vector<bool> present(static_cast<std::size_t>(nodes), true);
    for (const node_type m : missing) {
        if (m < 0 || m >= nodes) detail::throw_argument_below("missing node", m, nodes);
        if (!present[static_cast<std::size_t>(m)])
            detail::throw_argument("missing node", m, "every node once; this one is named twice");
        present[static_cast<std::size_t>(m)] = false;
    }
    if (missing.size() == static_cast<std::size_t>(nodes))
        detail::throw_argument("number of missing nodes", nodes, detail::sentence({"at most ", nodes - 1}));
    std::vector<node_type> result;
    for (node_type v = 0; v < nodes; ++v)
        if (present[static_cast<std::size_t>(v)]) result.push_back(v);
    return result;
}
#endif

} // namespace tutti
