// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/lanes.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>

/// Collectives of s ranks on each of n nodes, as products of one inside every node and s at a time between
/// them: the k-th ranks of all nodes are lane k, and every lane has its part of the vector. Where leaders
/// would leave the other ranks idle and one link per node busy, all ranks send between nodes at once.
///
/// Order: kept if the nodes' ranks follow each other and `inner` and `outer` keep it.
/// Restrictions: nodes of equally many ranks; parts that cut all ranks' blocks alike. The generators of
/// `inner` and `outer` may not read the buffer `input`.
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
    const block_index part = detail::blocks_of_part(scatter, across, gather, s);
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
    const auto [near, far, inside, across, _] = detail::parts_in_lanes(what, how, at);
    capabilities stated = detail::in_turn(how.nodes, inside.claims(), across.claims());
    stated.same_bits_on_all_ranks = true; // one rank has each block
    return claiming(sequence{on_group(near, inside), on_group(far, across)}, stated);
}

/// In the lanes, then inside the nodes, where a rank has what its lane has gathered.
/// Rounds and volume: as the reduce_scatter.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::allgather> && has_schedule<Outer, collective::allgather>
auto generate(collective_constant<collective::allgather> what, const multi_lane<Inner, Outer>& how,
              place at) {
    const auto [near, far, inside, across, _] = detail::parts_in_lanes(what, how, at);
    return claiming(sequence{on_group(far, across), on_group(near, inside)},
                    moving_only(detail::in_turn(how.nodes, across.claims(), inside.claims())));
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
    const auto inside = generate(what, how.inner, where.in_node);
    const auto across = generate(what, how.outer, where.in_lane);
    const block_index pieces = detail::common_pieces(inside, where.in_node.size, across, where.in_lane.size);
    const detail::on_owned first(detail::between_buffers(across, buffer_name::input, buffer_name::scratch),
                                 where.in_lane.size, detail::blocks_of_nodes{how.nodes}, at.size, pieces);
    const detail::on_owned second(detail::between_buffers(inside, buffer_name::scratch, buffer_name::work),
                                  where.in_node.size, detail::blocks_of_lanes{how.nodes}, at.size, pieces);
    capabilities stated = detail::in_turn(how.nodes, first.claims(), second.claims());
    stated.moves_blocks = at.size > 1;
    stated.scratch_blocks = at.size * pieces;
    if (!how.nodes.contiguous()) stated.uniform_rounds = 0; // neighbours are copied as one, where there are
    return claiming(sequence{on_group(far, first), on_group(near, second)}, moving_only(stated));
}

/// A scatter_allgather inside the nodes, cut in two: the scatter in the root's node, whose ranks then bcast
/// every lane's part to the others, and the allgather in all nodes.
/// Rounds: inner's for s ranks and outer's for n. Volume: between nodes a rank of the root's node sends 1/s
/// of what outer's root sends; inside, the root what that of inner does. Example with 4 ranks, 2 + 2, and
/// root 1: 1 sends block 0 to 0; then 0 to 2 and 1 to 3; then 0 and 1, 2 and 3 give each other what they
/// have.
template <class Allgather, class Outer>
    requires has_schedule<Allgather, collective::allgather> && has_schedule<Outer, collective::bcast>
auto generate(collective_constant<collective::bcast>,
              const multi_lane<scatter_allgather<Allgather>, Outer>& how, place at) {
    const detail::lane_places where(how.nodes, at);
    const auto [lane, s, _] = where.in_node;
    const auto scatter = generate(of<collective::scatter>, fnomial{.radix = how.inner.radix}, where.in_node);
    const auto across = generate(of<collective::bcast>, how.outer, where.in_lane);
    const auto gather = generate(of<collective::allgather>, how.inner.allgather, where.in_node);
    const block_index part = detail::blocks_of_part(scatter, across, gather, s);
    const block_index n = part * s;
    const detail::ranks_of_node near{how.nodes, where.in_lane.rank};
    const on_group first(near, stretched(scatter, scatter.rounds(), n), where.on_roots_node());
    const stretched second(across, across.rounds(), part);
    const stretched third(gather, gather.rounds(), n);
    return claiming(
        sequence{sequence{first, on_blocks(on_group(detail::ranks_of_lane{how.nodes, lane}, second),
                                           lane * part, n)},
                 on_group(near, third)},
        moving_only(detail::in_turn(how.nodes, detail::in_turn(how.nodes, first.claims(), second.claims()),
                                    third.claims())));
}

/// A reduce_scatter_gather inside the nodes, cut in two: the reduce-scatter in all nodes, from which the
/// lanes reduce their parts to the root's node, and the gather there. Rounds: inner's for s ranks and outer's
/// for n. Volume: between nodes a rank of the root's node folds 1/s of what outer's root folds; inside, every
/// rank what a rank of inner does. Example with 4 ranks, 2 + 2, and root 1: 0 and 1, 2 and 3 fold each
/// other's block 0 or 1; then 0 that of 2 and 1 that of 3; then 0 sends block 0 to 1.
template <class ReduceScatter, class Outer>
    requires has_schedule<ReduceScatter, collective::reduce_scatter>
             && has_schedule<Outer, collective::reduce>
auto generate(collective_constant<collective::reduce>,
              const multi_lane<reduce_scatter_gather<ReduceScatter>, Outer>& how, place at) {
    const detail::lane_places where(how.nodes, at);
    const auto [lane, s, _] = where.in_node;
    const auto scatter = generate(of<collective::reduce_scatter>, how.inner.reduce_scatter, where.in_node);
    const auto across = generate(of<collective::reduce>, how.outer, where.in_lane);
    const auto gather = generate(of<collective::gather>, fnomial{.radix = how.inner.radix}, where.in_node);
    const block_index part = detail::blocks_of_part(scatter, across, gather, s);
    const block_index n = part * s;
    const detail::ranks_of_node near{how.nodes, where.in_lane.rank};
    const stretched first(scatter, scatter.rounds(), n);
    const stretched second(across, across.rounds(), part);
    const on_group third(near, stretched(gather, gather.rounds(), n), where.on_roots_node());
    const capabilities folded = first.claims();
    const capabilities sent_on = second.claims();
    capabilities stated =
        detail::in_turn(how.nodes, detail::in_turn(how.nodes, folded, sent_on), third.claims());
    stated.reduced_blocks = detail::adding_up(first, folded, 1, second, sent_on, 1)(folded.reduced_blocks,
                                                                                    sent_on.reduced_blocks);
    stated.same_bits_on_all_ranks = true; // one rank has it
    return claiming(sequence{sequence{on_group(near, first),
                                      on_blocks(on_group(detail::ranks_of_lane{how.nodes, lane}, second),
                                                lane * part, n)},
                             third},
                    stated);
}

/// In the root's node, to every rank there what is for its lane; then in the lanes.
/// Rounds: inner's for s ranks and outer's for n. Volume: the root sends (s-1)/s of the vector in its node,
/// and to others (n-1)/(n s), as every rank of its node does.
/// Example with 4 ranks, 2 + 2, and root 1: 1 sends blocks 0, 2 to 0; then 0 sends 2 to 2, and 1 sends 3
/// to 3.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::scatter> && has_schedule<Outer, collective::scatter>
auto generate(collective_constant<collective::scatter> what, const multi_lane<Inner, Outer>& how, place at) {
    const auto [near, far, inside, across, on_roots_node] = detail::parts_in_lanes(what, how, at);
    return claiming(sequence{on_group(near, inside, on_roots_node), on_group(far, across)},
                    moving_only(detail::in_turn(how.nodes, inside.claims(), across.claims())));
}

/// The scatter backwards: in the lanes to the root's node; then there to the root.
/// Rounds: as the scatter. Volume: what a rank sends there it receives here.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::gather> && has_schedule<Outer, collective::gather>
auto generate(collective_constant<collective::gather> what, const multi_lane<Inner, Outer>& how, place at) {
    const auto [near, far, inside, across, on_roots_node] = detail::parts_in_lanes(what, how, at);
    return claiming(sequence{on_group(far, across), on_group(near, inside, on_roots_node)},
                    moving_only(detail::in_turn(how.nodes, across.claims(), inside.claims())));
}

} // namespace tutti
