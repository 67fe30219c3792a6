// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/topology/network.hpp>
#include <tutti/topology/placement.hpp>

namespace tutti {

/// A message and all links that it takes, in the order of its way.
struct message_way {
    rank_type from = 0;              ///< the sender: a rank, not a node
    rank_type to = 0;                ///< likewise
    std::vector<link_index> links{}; ///< none between ranks of one node

    /// Looks at all of its links.
    bool takes(link_index link) const { return std::find(links.begin(), links.end(), link) != links.end(); }
    /// "3 → 9"
    std::string text() const { return std::to_string(from).append(" → ").append(std::to_string(to)); }
};

/// The way of a message between two ranks that are placed on a network. Example with 5 ranks on the first
/// nodes of a ring of 8: from rank 4 to rank 1 it takes down(4), down(3), down(2).
template <network N>
message_way way_of(const N& on, const placement& where, rank_type from, rank_type to) {
    message_way way{.from = from, .to = to};
    on.route(where.node_of(from), where.node_of(to), [&](link_index l) { way.links.push_back(l); });
    return way;
}

} // namespace tutti
