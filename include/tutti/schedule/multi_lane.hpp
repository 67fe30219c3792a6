// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/one_message.hpp>

/// Collectives of s ranks on each of n nodes, as products of one inside every node and s at a time between
/// them: the k-th ranks of all nodes are lane k, and every lane has its part of the vector. Where leaders
/// would leave the other ranks idle and one link per node busy, all ranks send between nodes at once.
///
/// Order: kept if the nodes' ranks follow each other and `inner` and `outer` keep it.
/// Restrictions: nodes of equally many ranks. The generators of `inner` and `outer` may not read the buffer
/// `input`.
/// Source: Träff and Hunold 2020, "Decomposing MPI collectives for exploiting multi-lane communication".
/// Example with 4 ranks, 2 + 2: lanes are {0, 2} and {1, 3}. (Of 5 ranks only 5 nodes of one rank are alike,
/// or one of 5: then `outer` is all there is, or `inner`.)
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

/// `g`, whose block k is the k-th member's, where every member of the group has several of `total` blocks:
/// owned(k, 0) .. owned(k, owned.shares() - 1).
template <generator G, class Owned>
class on_owned {
public:
    on_owned(G g, rank_type members, Owned owned, block_index total)
        : g_(std::move(g)), owned_(std::move(owned)), total_(total) {
        check_one_each(g_, members);
    }

    round_index rounds() const noexcept { return g_.rounds(); }
    block_index blocks() const noexcept { return total_; }
    capabilities claims() const {
        capabilities c = g_.claims();
        const block_index factor = owned_.shares();
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
                for (block_index k = 0; k < s.blocks.count; ++k)
                    pieces.add(owned_(static_cast<rank_type>(block_at(s.blocks, k, g_.blocks())), share));
            pieces.end();
        });
    }

private:
    G g_;
    Owned owned_;
    block_index total_;
};

/// Where a rank is in its node and in its lane. Refuses nodes that differ.
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
        in_node = {.rank = nodes.number_of(at.rank), .size = nodes.sizes().front()};
        in_lane = {.rank = nodes.node_of(at.rank), .size = nodes.nodes()};
    }
};

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

/// Reduce-scatter inside the nodes, an allreduce of every lane's part, allgather inside the nodes.
/// Rounds: inner's two for s ranks and outer's for n. Volume, with circulant or another that reaches the
/// bounds: a rank sends 2 (s-1)/s of the vector in its node and 2 (n-1)/(n s) to others.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::reduce_scatter> && has_schedule<Inner, collective::allgather>
             && has_schedule<Outer, collective::allreduce>
auto generate(collective_constant<collective::allreduce>, const multi_lane<Inner, Outer>& how, place at) {
    const detail::lane_places where(how.nodes, at);
    const auto [lane, s, _] = where.in_node;
    const detail::ranks_of_node near{how.nodes, where.in_lane.rank};
    const detail::ranks_of_lane far{how.nodes, lane};
    const auto scatter = generate(of<collective::reduce_scatter>, how.inner, where.in_node);
    const auto across = generate(of<collective::allreduce>, how.outer, where.in_lane);
    const auto gather = generate(of<collective::allgather>, how.inner, where.in_node);
    const block_index part = detail::common_blocks(
        detail::common_blocks(scatter.blocks() / s, gather.blocks() / s), across.blocks());
    const block_index n = part * s;
    const stretched first(scatter, scatter.rounds(), n);
    const stretched second(across, across.rounds(), part);
    const stretched third(gather, gather.rounds(), n);
    capabilities stated = detail::in_turn(
        how.nodes, detail::in_turn(how.nodes, first.claims(), second.claims()), third.claims());
    stated.same_bits_on_all_ranks = second.claims().same_bits_on_all_ranks;
    return claiming(
        sequence{sequence{on_group(near, first), on_blocks(on_group(far, second), lane * part, n)},
                 on_group(near, third)},
        stated);
}

/// Inside the nodes, the blocks of every lane to its rank there; then in the lanes.
/// Rounds: inner's for s ranks and outer's for n. Volume, if both send (p-1)/p: a rank sends (s-1)/s of the
/// vector in its node and (n-1)/(n s) to others.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::reduce_scatter>
             && has_schedule<Outer, collective::reduce_scatter>
auto generate(collective_constant<collective::reduce_scatter> what, const multi_lane<Inner, Outer>& how,
              place at) {
    const detail::lane_places where(how.nodes, at);
    const detail::ranks_of_node near{how.nodes, where.in_lane.rank};
    const detail::ranks_of_lane far{how.nodes, where.in_node.rank};
    const detail::on_owned first(generate(what, how.inner, where.in_node), where.in_node.size,
                                 detail::blocks_of_lanes{how.nodes}, at.size);
    const detail::on_owned second(generate(what, how.outer, where.in_lane), where.in_lane.size,
                                  detail::blocks_of_lane{far}, at.size);
    capabilities stated = detail::in_turn(how.nodes, first.claims(), second.claims());
    stated.same_bits_on_all_ranks = true; // one rank has each block
    return claiming(sequence{on_group(near, first), on_group(far, second)}, stated);
}

/// In the lanes, then inside the nodes, where a rank has what its lane has gathered.
/// Rounds and volume: as the reduce_scatter.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::allgather> && has_schedule<Outer, collective::allgather>
auto generate(collective_constant<collective::allgather> what, const multi_lane<Inner, Outer>& how,
              place at) {
    const detail::lane_places where(how.nodes, at);
    const detail::ranks_of_node near{how.nodes, where.in_lane.rank};
    const detail::ranks_of_lane far{how.nodes, where.in_node.rank};
    const detail::on_owned first(generate(what, how.outer, where.in_lane), where.in_lane.size,
                                 detail::blocks_of_lane{far}, at.size);
    const detail::on_owned second(generate(what, how.inner, where.in_node), where.in_node.size,
                                  detail::blocks_of_lanes{how.nodes}, at.size);
    return claiming(sequence{on_group(far, first), on_group(near, second)},
                    moving_only(detail::in_turn(how.nodes, first.claims(), second.claims())));
}

/// In the lanes, to every node what is for its ranks; then inside the nodes, where every rank has what all of
/// its lane have for the node.
/// Rounds: outer's for n ranks and inner's for s. Volume, if both send straight: a rank sends (n-1)/n of the
/// vector to others, in n-1 messages where p-s would go there without lanes, and (s-1)/s in its node.
/// Scratch: all p blocks. Restrictions: `inner` and `outer` need no scratch of their own, as mesh2d does.
/// Example with 4 ranks, 2 + 2: rank 0 sends blocks 2, 3 to rank 2, and to rank 1 what it and rank 2 have for
/// that one.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::alltoall> && has_schedule<Outer, collective::alltoall>
auto generate(collective_constant<collective::alltoall> what, const multi_lane<Inner, Outer>& how, place at) {
    const detail::lane_places where(how.nodes, at);
    const detail::ranks_of_node near{how.nodes, where.in_lane.rank};
    const detail::ranks_of_lane far{how.nodes, where.in_node.rank};
    const detail::on_owned first(detail::between_buffers(generate(what, how.outer, where.in_lane),
                                                         buffer_name::input, buffer_name::scratch),
                                 where.in_lane.size, detail::blocks_of_nodes{how.nodes}, at.size);
    const detail::on_owned second(detail::between_buffers(generate(what, how.inner, where.in_node),
                                                          buffer_name::scratch, buffer_name::work),
                                  where.in_node.size, detail::blocks_of_lanes{how.nodes}, at.size);
    capabilities stated = detail::in_turn(how.nodes, first.claims(), second.claims());
    stated.moves_blocks = at.size > 1;
    stated.scratch_blocks = at.size;
    if (!how.nodes.contiguous()) stated.uniform_rounds = 0; // neighbours are copied as one, where there are
    return claiming(sequence{on_group(far, first), on_group(near, second)}, moving_only(stated));
}

} // namespace tutti
