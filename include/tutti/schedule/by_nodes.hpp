// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/combinators.hpp>

/// Collectives of ranks on nodes, as products of one inside each node and one between the nodes' leaders. A
/// leader is the lowest rank of its node, that of the root's node the root.
///
/// Rounds: those of the phases, one after the other; a phase inside the nodes has as many as the node that
/// takes longest. Blocks: a common multiple of those of all parts; with `inner` of any number of blocks per
/// rank, such as ring, nodes of many different sizes have very many, a tree has few.
/// Volume: the leaders do what `inner` and `outer` have their roots do; between nodes goes what `outer` sends
/// among as many ranks as there are nodes, and nothing else.
/// Order: kept if the nodes' ranks follow each other, `inner` keeps it on every node, and `outer` keeps it.
/// Restrictions: the generators of `inner` and `outer` may not read the buffer `input`.
/// Source: "node-level reduction first" is everybody's; the SMP-aware collectives of MPICH.
/// Example with 5 ranks, 3 + 2, both by fnomial: a reduce to rank 1 folds 0 and 2 into 1, and 4 into 3, then
/// 3 into 1.
namespace tutti {

namespace detail {

/// The rank that has a number on its node.  Example with 5 ranks on nodes 0, 0, 1, 0, 1: number 2 of node 0
/// is rank 3.
struct ranks_of_node {
    node_map nodes;
    rank_type node;

    rank_type operator()(rank_type number) const noexcept { return nodes.rank_at(node, number); }
};

/// Who speaks for a node: its lowest rank, or its last one, or the root.  Example with 5 ranks on nodes 0, 0,
/// 1, 0, 1 and root 3: rank 3 for node 0, rank 2 for node 1, or rank 4 if last ones do.
struct leaders {
    node_map nodes;
    rank_type root;
    bool last = false;

    rank_type operator()(rank_type node) const noexcept {
        return node == nodes.node_of(root) ? root : nodes.rank_at(node, number(nodes.size_of(node)));
    }
    /// The number of one that is not the root, on a node of so many ranks.
    rank_type number(rank_type size) const noexcept { return last ? size - 1 : 0; }
};

inline void check_nodes(const node_map& nodes, place at) {
    if (checked(at).size != nodes.ranks())
        throw_argument("size", at.size, std::to_string(nodes.ranks()) + ", the number of ranks on the nodes");
}

/// Into how many a part cuts the block of each of so many ranks. Refuses one that does not cut all alike.
template <generator G>
block_index pieces_each(const G& g, rank_type members) {
    if (g.blocks() % members != 0)
        throw_argument("blocks", g.blocks(),
                       "a multiple of " + std::to_string(members) + ", as many for each rank");
    return g.blocks() / members;
}

/// Refuses a part that moves blocks: those of nodes differ in length.
template <generator G>
void check_in_place(const G& g) {
    if (const capabilities c = g.claims(); c.moves_blocks || c.reads_input || c.scratch_blocks > 0)
        throw argument_error("a part", "one that moves blocks, reads the input or needs scratch",
                             "one that leaves all blocks in their places");
}

/// Calls f(place) for each kind of node there is, as a place in it: the root's node, and one of each size of
/// the others.
template <class F>
void for_each_kind_of_node(const leaders& lead, F&& f) {
    const rank_type roots = lead.nodes.size_of(lead.nodes.node_of(lead.root));
    f(place{.rank = 0, .size = roots, .root = lead.nodes.number_of(lead.root)});
    bool is_roots = true; // the first of that size
    rank_type last = 0;
    for (const rank_type size : lead.nodes.sizes()) {
        if (size == roots && std::exchange(is_roots, false)) continue;
        if (std::exchange(last, size) != size) f(place{.size = size, .root = lead.number(size)});
    }
}

/// `inner` for a collective on every node at once, to or from the leaders.
template <collective C, class Inner>
class inside_nodes {
    using part_type = std::remove_cvref_t<decltype(generate(of<C>, std::declval<const Inner&>(), place{}))>;

public:
    inside_nodes(const leaders& lead, const Inner& inner, rank_type rank)
        : lead_(lead), inner_(inner), rank_(rank) {
        for_each_kind_of_node(lead, [&](place one) {
            const auto g = make(one);
            if constexpr (has_parts(C)) { // without scratch, of the ranks' blocks: see parts_by_nodes.hpp
                check_in_place(g);
                frame_.blocks = common_blocks(frame_.blocks, pieces_each(g, one.size));
                frame_.rounds = std::max(frame_.rounds, g.rounds());
            } else {
                frame_.add(g);
            }
        });
    }

    const frame& common() const noexcept { return frame_; }

    part_type make(place one) const { return generate(of<C>, inner_, one); }

    on_group<ranks_of_node, part_type> part(bool takes_part = true) const {
        const node_map& nodes = lead_.nodes;
        const rank_type node = nodes.node_of(rank_);
        return {ranks_of_node{nodes, node},
                make({.rank = nodes.number_of(rank_),
                      .size = nodes.size_of(node),
                      .root = nodes.number_of(lead_(node))}),
                takes_part};
    }

    /// What holds on all nodes, whatever their sizes.
    capabilities claims() const {
        capabilities all{.order_preserving = lead_.nodes.contiguous()};
        for_each_kind_of_node(lead_, [&](place one) {
            const auto g = make(one);
            const capabilities c = g.claims();
            all.any_size = all.any_size && c.any_size;
            all.order_preserving = all.order_preserving && c.order_preserving;
            all.moves_blocks = all.moves_blocks || c.moves_blocks;
            all.reads_input = all.reads_input || c.reads_input;
            // Of parts, whose blocks are others, there is none: see check_in_place.
            all.scratch_blocks =
                std::max(all.scratch_blocks, c.scratch_blocks * (frame_.blocks / g.blocks()));
        });
        return all;
    }

private:
    leaders lead_;
    Inner inner_;
    rank_type rank_;
    frame frame_;
};

/// `outer` for a collective among the leaders.
template <collective C, class Outer>
auto between_nodes(const leaders& lead, const Outer& outer, rank_type rank) {
    const node_map& nodes = lead.nodes;
    const rank_type node = nodes.node_of(rank);
    const place among{.rank = node, .size = nodes.nodes(), .root = nodes.node_of(lead.root)};
    return on_group(lead, generate(of<C>, outer, among), lead(node) == rank);
}

/// `g`, a part without scratch, with its input in `from` and its result in `into`.
template <generator G>
in_buffers<G> between_buffers(G g, buffer_name from, buffer_name into) {
    if (const block_index scratch = g.claims().scratch_blocks; scratch > 0)
        throw_argument("scratch blocks of a part", scratch, "0: what is between the parts lies there");
    return {std::move(g), {into, from, into, into}};
}

/// What two phases claim together, in finer blocks than theirs.
constexpr capabilities both_claims(const capabilities& a, block_index a_factor, const capabilities& b,
                                   block_index b_factor) {
    return {.any_size = a.any_size && b.any_size,
            .order_preserving = a.order_preserving && b.order_preserving,
            .moves_blocks = a.moves_blocks || b.moves_blocks,
            .scratch_blocks = std::max(a.scratch_blocks * a_factor, b.scratch_blocks * b_factor)};
}

} // namespace detail

/// From the root to the other leaders, then inside all nodes.
/// Rounds: outer's for as many ranks as there are nodes, and the most that inner has on a node.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::bcast> && has_schedule<Outer, collective::bcast>
auto generate(collective_constant<collective::bcast>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, at.root};
    const detail::inside_nodes<collective::bcast, Inner> inside(lead, how.inner, at.rank);
    const auto across = detail::between_nodes<collective::bcast>(lead, how.outer, at.rank);
    const auto [rounds, blocks] = inside.common();
    const block_index n = detail::common_blocks(blocks, across.blocks());
    const sequence all{stretched(across, across.rounds(), n), stretched(inside.part(), rounds, n)};
    capabilities stated =
        detail::both_claims(inside.claims(), n / blocks, across.claims(), n / across.blocks());
    stated.rounds = all.rounds();
    stated = moving_only(stated);
    return claiming(all, stated);
}

/// Inside all nodes, then from the other leaders to the root.
/// Rounds: as the bcast.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::reduce> && has_schedule<Outer, collective::reduce>
auto generate(collective_constant<collective::reduce>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, at.root};
    const detail::inside_nodes<collective::reduce, Inner> inside(lead, how.inner, at.rank);
    const auto across = detail::between_nodes<collective::reduce>(lead, how.outer, at.rank);
    const auto [rounds, blocks] = inside.common();
    const block_index n = detail::common_blocks(blocks, across.blocks());
    const sequence all{stretched(inside.part(), rounds, n), stretched(across, across.rounds(), n)};
    capabilities stated =
        detail::both_claims(inside.claims(), n / blocks, across.claims(), n / across.blocks());
    stated.same_bits_on_all_ranks = true; // one rank has it
    stated.rounds = all.rounds();
    return claiming(all, stated);
}

/// Up to the leaders, an allreduce of theirs, and down again.
/// Rounds: outer's for as many ranks as there are nodes, and the most that inner's reduce and its bcast have
/// on a node.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::reduce> && has_schedule<Inner, collective::bcast>
             && has_schedule<Outer, collective::allreduce>
auto generate(collective_constant<collective::allreduce>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, 0};
    const detail::inside_nodes<collective::reduce, Inner> up(lead, how.inner, at.rank);
    const detail::inside_nodes<collective::bcast, Inner> down(lead, how.inner, at.rank);
    const auto across = detail::between_nodes<collective::allreduce>(lead, how.outer, at.rank);
    const block_index inner = detail::common_blocks(up.common().blocks, down.common().blocks);
    const block_index n = detail::common_blocks(inner, across.blocks());
    const sequence all{
        sequence{stretched(up.part(), up.common().rounds, n), stretched(across, across.rounds(), n)},
        stretched(down.part(), down.common().rounds, n)};
    capabilities moved = down.claims();
    moved.order_preserving = true;
    capabilities stated =
        detail::both_claims(up.claims(), n / up.common().blocks, across.claims(), n / across.blocks());
    stated = detail::both_claims(stated, 1, moved, n / down.common().blocks);
    stated.same_bits_on_all_ranks = across.claims().same_bits_on_all_ranks;
    stated.rounds = all.rounds();
    return claiming(all, stated);
}

/// Everybody tells its leader that it has come, the leaders each other, and they tell everybody.
/// Rounds: as the allreduce. Volume: none.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::reduce> && has_schedule<Inner, collective::bcast>
             && has_schedule<Outer, collective::barrier>
auto generate(collective_constant<collective::barrier>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, 0};
    const detail::inside_nodes<collective::reduce, Inner> up(lead, how.inner, at.rank);
    const detail::inside_nodes<collective::bcast, Inner> down(lead, how.inner, at.rank);
    const auto across = emptied(detail::between_nodes<collective::barrier>(lead, how.outer, at.rank));
    const sequence all{sequence{stretched(emptied(up.part()), up.common().rounds, 1), across},
                       stretched(emptied(down.part()), down.common().rounds, 1)};
    return claiming(all, moving_only({.any_size = up.claims().any_size && down.claims().any_size
                                                  && across.claims().any_size,
                                      .rounds = all.rounds(),
                                      .sent_blocks = 0}));
}

} // namespace tutti
