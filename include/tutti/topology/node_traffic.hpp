// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/ensemble.hpp>
#include <tutti/core/nodes.hpp>

namespace tutti {

/// What a schedule sends, inside nodes and between them.
struct node_traffic {
    std::int64_t messages_inside = 0;  ///< whose ends lie on one node
    std::int64_t bytes_inside = 0;     ///< of these
    std::int64_t messages_between = 0; ///< whose ends lie on different nodes
    std::int64_t bytes_between = 0;    ///< of these

    friend constexpr bool operator==(const node_traffic&, const node_traffic&) = default;
};

/// Counts all messages of all ranks. `bytes`, as a block_bytes, is how long blocks are.
/// Example with 5 ranks, 3 + 2, allgather round a ring: 4 rounds of 5 messages, of which 2 go from node to
/// node.
template <class G, class Bytes>
node_traffic traffic_of(const ensemble<G>& all, const node_map& nodes, const Bytes& bytes) {
    node_traffic sum;
    for (round_index i = 0; i < all.rounds(); ++i)
        for_each_message(all, i, bytes, [&](const message& m) {
            const bool is_inside = nodes.node_of(m.from) == nodes.node_of(m.to);
            ++(is_inside ? sum.messages_inside : sum.messages_between);
            (is_inside ? sum.bytes_inside : sum.bytes_between) += m.bytes;
        });
    return sum;
}

} // namespace tutti
