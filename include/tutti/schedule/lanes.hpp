// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/one_message.hpp>

/// What algorithms for nodes of equally many ranks have in common, s ranks on each of n nodes: the k-th ranks
/// of all nodes are lane k.
/// Example with 4 ranks, 2 + 2: lanes are {0, 2} and {1, 3}. (Of 5 ranks only 5 nodes of one rank are alike,
/// or one of 5.)
namespace tutti {

namespace detail {

/// The rank of a lane on a node.  Example with 4 ranks, 2 + 2: lane 1 is rank 1 on node 0, rank 3 on node 1.
struct ranks_of_lane {
    node_map nodes;
    rank_type lane;

    rank_type operator()(rank_type node) const noexcept { return nodes.rank_at(node, lane); }
};

/// Member k of a node has the blocks of lane k.  Example with 4 ranks, 2 + 2: member 1 has blocks 1 and 3.
struct blocks_of_lanes {
    node_map nodes;

    rank_type shares() const noexcept { return nodes.nodes(); }
    rank_type operator()(rank_type member, rank_type share) const noexcept {
        return nodes.rank_at(share, member);
    }
};

/// Node k has the blocks of all its ranks.  Example with 4 ranks, 2 + 2: node 1 has blocks 2 and 3.
struct blocks_of_nodes {
    node_map nodes;

    rank_type shares() const noexcept { return nodes.size_of(0); }
    rank_type operator()(rank_type node, rank_type share) const noexcept {
        return nodes.rank_at(node, share);
    }
};

/// Member k of a lane has the block of its rank on node k.
struct blocks_of_lane {
    ranks_of_lane ranks;

    static constexpr rank_type shares() noexcept { return 1; }
    rank_type operator()(rank_type member, rank_type) const noexcept { return ranks(member); }
};

/// `g`, which cuts every member's block alike, where every member of the group has several of as many blocks
/// as there are ranks: member k has owned(k, 0) .. owned(k, owned.shares() - 1), each in `pieces`, a multiple
/// of those of `g`.  Example with 4 ranks, 2 + 2, and 2 pieces: of lane 1, blocks 1 and 3, are pieces 2, 3
/// and 6, 7.
template <generator G, class Owned>
class on_owned {
public:
    on_owned(G g, rank_type members, Owned owned, rank_type ranks, block_index pieces)
        : g_(std::move(g)), owned_(std::move(owned)), blocks_(ranks * pieces),
          cuts_(pieces_each(g_, members)), run_(pieces / cuts_) {}

    round_index rounds() const noexcept { return g_.rounds(); }
    block_index blocks() const noexcept { return blocks_; }
    capabilities claims() const {
        capabilities c = g_.claims();
        const block_index factor = owned_.shares() * run_;
        c.scratch_blocks *= factor;
        if (c.sent_blocks != unstated) c.sent_blocks *= factor;
        if (c.reduced_blocks != unstated) c.reduced_blocks *= factor;
        c.bounded_from = unstated;
        return c;
    }
    round_range active() const noexcept { return active_rounds(g_); }

    /// Share by share, so that neighbours among the blocks of different members go as one piece.
    template <class Sink>
    TUTTI_INLINE void emit(round_index i, Sink&& sink) const {
        g_.emit(i, [&](const step& s) {
            joined_blocks pieces(s, sink);
            for (rank_type share = 0; share < owned_.shares(); ++share)
                for (block_index k = 0; k < s.blocks.count; ++k) {
                    const block_index b = block_at(s.blocks, k, g_.blocks());
                    const block_index block = owned_(static_cast<rank_type>(b / cuts_), share);
                    pieces.add((block * cuts_ + b % cuts_) * run_, run_);
                }
            pieces.end();
        });
    }

private:
    G g_;
    Owned owned_;
    block_index blocks_;
    block_index cuts_; // of a member's block by g
    block_index run_;  // pieces to each of these
};

/// Into how many pieces both parts can cut every rank's block.
block_index common_pieces(const generator auto& a, rank_type members_of_a, const generator auto& b,
                          rank_type members_of_b) {
    const rank_type ranks = members_of_a * members_of_b;
    return common_blocks(pieces_each(a, members_of_a) * ranks, pieces_each(b, members_of_b) * ranks) / ranks;
}

/// Into how many blocks a lane's part of a vector is cut, for all three to have whole ones: two that cut the
/// vector for the `each` ranks of a node, and one that cuts the part.
inline block_index blocks_of_part(const generator auto& first, const generator auto& across,
                                  const generator auto& last, rank_type each) {
    return common_blocks(common_blocks(pieces_each(first, each), pieces_each(last, each)), across.blocks());
}

/// Where a rank, and the root, is in its node and in its lane. Refuses nodes that differ.
/// Example with 4 ranks, 2 + 2, and root 1: in nodes 1 is the root, and in lanes 0.
struct lane_places {
    place in_node;
    place in_lane;

    lane_places(const node_map& nodes, place at) {
        check_nodes(nodes, at);
        if (!nodes.all_alike())
            throw argument_error("nodes",
                                 "of " + std::to_string(nodes.sizes().front()) + " to "
                                     + std::to_string(nodes.sizes().back()) + " ranks",
                                 "of equally many ranks");
        in_node = {.rank = nodes.number_of(at.rank),
                   .size = nodes.sizes().front(),
                   .root = nodes.number_of(at.root)};
        in_lane = {.rank = nodes.node_of(at.rank), .size = nodes.nodes(), .root = nodes.node_of(at.root)};
    }

    bool on_roots_node() const noexcept { return in_lane.rank == in_lane.root; }
};

template <generator Inside, generator Across>
struct inside_and_across {
    ranks_of_node near;
    ranks_of_lane far;
    on_owned<Inside, blocks_of_lanes> inside; ///< among `near`
    on_owned<Across, blocks_of_lane> across;  ///< among `far`
    bool on_roots_node;
};

/// A collective inside the nodes, where every rank has the blocks of its lane, and the same in the lanes,
/// where it has its own.
template <collective C, class Inner, class Outer>
auto parts_in_lanes(collective_constant<C> what, const multi_lane<Inner, Outer>& how, place at) {
    const lane_places where(how.nodes, at);
    const ranks_of_node near{how.nodes, where.in_lane.rank};
    const ranks_of_lane far{how.nodes, where.in_node.rank};
    auto inside = generate(what, how.inner, where.in_node);
    auto across = generate(what, how.outer, where.in_lane);
    const block_index pieces = common_pieces(inside, where.in_node.size, across, where.in_lane.size);
    return inside_and_across<decltype(inside), decltype(across)>{
        near, far, on_owned(inside, where.in_node.size, blocks_of_lanes{how.nodes}, at.size, pieces),
        on_owned(across, where.in_lane.size, blocks_of_lane{far}, at.size, pieces), where.on_roots_node()};
}

/// The claims of phases in which all ranks take part, one after the other. Figures add up where all ranks do
/// the same; of the busiest of each phase nobody knows whether they are one.
inline capabilities in_turn(const node_map& nodes, const capabilities& a, const capabilities& b) {
    const bool alike = a.uniform_rounds == a.rounds && b.uniform_rounds == b.rounds;
    const auto sum = [&](std::int64_t x, std::int64_t y) {
        return alike && x != unstated && y != unstated ? x + y : unstated;
    };
    return {.any_size = a.any_size && b.any_size,
            .order_preserving = nodes.contiguous() && a.order_preserving && b.order_preserving,
            .moves_blocks = a.moves_blocks || b.moves_blocks,
            .scratch_blocks = std::max(a.scratch_blocks, b.scratch_blocks),
            .rounds = a.rounds + b.rounds,
            .sent_blocks = sum(a.sent_blocks, b.sent_blocks),
            .reduced_blocks = sum(a.reduced_blocks, b.reduced_blocks),
            .uniform_rounds = a.uniform_rounds < a.rounds ? a.uniform_rounds : a.rounds + b.uniform_rounds};
}

} // namespace detail

} // namespace tutti
