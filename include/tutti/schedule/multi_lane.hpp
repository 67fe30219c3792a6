// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/lanes.hpp>

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
