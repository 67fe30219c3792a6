// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <tutti/core/block.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/one_message.hpp>

/// Collectives in which every rank has a block, of ranks on nodes of any sizes: between nodes a leader sends
/// the blocks of a whole node, or of several, as one message. Leaders are as in by_nodes.hpp.
///
/// Blocks never leave their places and have any lengths, none among them. Those of a node are neighbours if
/// its ranks follow each other; if they do not, a message has as many pieces as it takes.
/// Restrictions: parts that cut all ranks' blocks alike, and neither move blocks nor have any in scratch, as
/// all in the catalogue do. Their generators may not read the buffer `input`.
/// Source: as by_nodes.hpp.
namespace tutti {

namespace detail {

/// The block of a rank, by its number on a node.  Example with 5 ranks on nodes 0, 0, 1, 0, 1: number 2 of
/// node 0 has block 3.
struct block_on_node {
    node_map nodes;
    rank_type node;

    std::span<const rank_type> operator()(rank_type number) const noexcept {
        return nodes.ranks_on(node).subspan(static_cast<std::size_t>(number), 1);
    }
};

/// The blocks of a node.  Example with 5 ranks on nodes 0, 0, 1, 0, 1: node 0 has blocks 0, 1, 3.
struct blocks_on_node {
    node_map nodes;

    std::span<const rank_type> operator()(rank_type node) const noexcept { return nodes.ranks_on(node); }
};

/// `g`, which leaves every block in its place, with the blocks lists(k) of those of all ranks for the k-th
/// of `members`, each in as many pieces as `g` cuts its own in.  Example with 5 ranks, 3 + 2, and 2 pieces:
/// for block 1 of g, the second piece of node 0, there are 1, 3 and 5.
template <generator G, class Lists>
class on_lists {
public:
    on_lists(G g, rank_type members, Lists lists, rank_type ranks)
        : g_(std::move(g)), lists_(std::move(lists)), cuts_(pieces_each(g_, members)),
          blocks_(common_blocks(ranks, ranks * cuts_)) {}

    round_index rounds() const noexcept { return g_.rounds(); }
    block_index blocks() const noexcept { return blocks_; }
    capabilities claims() const {
        capabilities c = g_.claims();
        c.sent_blocks = unstated; // lists differ in length
        c.reduced_blocks = unstated;
        c.uniform_rounds = 0;
        c.bounded_from = unstated;
        return c;
    }
    round_range active() const noexcept { return active_rounds(g_); }

    template <class Sink>
    TUTTI_INLINE void emit(round_index i, Sink&& sink) const {
        g_.emit(i, [&](const step& s) {
            joined_blocks pieces(s, sink);
            for (block_index k = 0; k < s.blocks.count; ++k) {
                const block_index b = block_at(s.blocks, k, g_.blocks());
                for (const block_index block : lists_(static_cast<rank_type>(b / cuts_)))
                    pieces.add(block * cuts_ + b % cuts_);
            }
            pieces.end();
        });
    }

private:
    G g_;
    Lists lists_;
    block_index cuts_; // of a member's block by g
    block_index blocks_;
};

/// Every rank's own block to or from its node's leader, in a schedule of `total` blocks.
template <collective C, class Inner>
auto parts_inside(const inside_nodes<C, Inner>& inside, const node_map& nodes, rank_type rank,
                  block_index total) {
    const rank_type node = nodes.node_of(rank);
    return stretched(on_lists(inside.part(), nodes.size_of(node), block_on_node{nodes, node}, nodes.ranks()),
                     inside.common().rounds, total);
}

/// The blocks of nodes among their leaders.
template <collective C, class Outer>
auto parts_between(const leaders& lead, const Outer& outer, rank_type rank) {
    const auto among = between_nodes<C>(lead, outer, rank);
    check_in_place(among);
    return on_lists(among, lead.nodes.nodes(), blocks_on_node{lead.nodes}, lead.nodes.ranks());
}

} // namespace detail

/// Gather: inside all nodes, then from the other leaders to the root. Scatter: the same way back, to the
/// leaders of all nodes and then inside them.
/// Rounds: outer's for as many ranks as there are nodes, and the most that inner has on a node.
/// Volume: between nodes goes what outer sends, each block once if outer is serial; the root receives, or
/// sends, p - 1 of p blocks.
/// Order: nothing is folded.
/// Example with 5 ranks, 3 + 2, both by fnomial: a gather to rank 1 takes blocks 2 and 0 from 2 and 0 while 4
/// gives 3 its own; then 3 sends blocks 3, 4 to 1. A scatter from 1 begins with these.
template <collective C, class Inner, class Outer>
    requires((C == collective::gather || C == collective::scatter)
             && has_schedule<Inner, C> && has_schedule<Outer, C>)
auto generate(collective_constant<C>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, at.root};
    const detail::inside_nodes<C, Inner> all_inside(lead, how.inner, at.rank);
    const auto between = detail::parts_between<C>(lead, how.outer, at.rank);
    const block_index n = detail::common_blocks(all_inside.common().blocks * at.size, between.blocks());
    const auto inside = detail::parts_inside(all_inside, how.nodes, at.rank, n);
    const stretched across(between, between.rounds(), n);
    capabilities stated = detail::both_claims(all_inside.claims(), 1, across.claims(), 1);
    stated.rounds = inside.rounds() + across.rounds();
    stated = moving_only(stated);
    if constexpr (C == collective::gather)
        return claiming(sequence{inside, across}, stated);
    else
        return claiming(sequence{across, inside}, stated);
}

/// Reduces inside all nodes to the leaders, a reduce_scatter of theirs in which each gets the blocks of its
/// node, scatters inside the nodes.
/// Rounds: outer's for as many ranks as there are nodes, and the most that inner's reduce and its scatter
/// have on a node. Blocks: a common multiple of those of the reduces and of p times the pieces into which the
/// scatters and outer cut a block.
/// Volume: a leader does what the root of inner's two does, and what a rank of outer's does; between nodes
/// goes what outer sends, the vector n - 1 times for n nodes if that is the least.
/// Order: kept if the nodes' ranks follow each other, and inner's reduce and outer keep it.
/// Example with 5 ranks, 3 + 2, by fnomial and direct: the vectors are folded into those of 0 and 3; 0 sends
/// blocks 3, 4 to 3, which sends it 0, 1, 2; then 1, 2 and 4 get theirs.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::reduce> && has_schedule<Inner, collective::scatter>
             && has_schedule<Outer, collective::reduce_scatter>
auto generate(collective_constant<collective::reduce_scatter>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, 0};
    const detail::inside_nodes<collective::reduce, Inner> up(lead, how.inner, at.rank);
    const detail::inside_nodes<collective::scatter, Inner> down(lead, how.inner, at.rank);
    const auto across = detail::parts_between<collective::reduce_scatter>(lead, how.outer, at.rank);
    const block_index n = detail::common_blocks(detail::common_blocks(up.common().blocks, across.blocks()),
                                                down.common().blocks * at.size);
    const sequence all{
        sequence{stretched(up.part(), up.common().rounds, n), stretched(across, across.rounds(), n)},
        detail::parts_inside(down, how.nodes, at.rank, n)};
    capabilities stated = detail::both_claims(up.claims(), n / up.common().blocks, across.claims(), 1);
    stated = detail::both_claims(stated, 1, moving_only(down.claims()), 1);
    stated.same_bits_on_all_ranks = true; // one rank has each block
    stated.rounds = all.rounds();
    return claiming(all, stated);
}

/// Gathers inside all nodes to the leaders, an allgather of theirs, in which each has the blocks of its node,
/// and bcasts of the whole inside the nodes.
/// Rounds: outer's for as many ranks as there are nodes, and the most that inner's gather and its bcast have
/// on a node. Blocks: a common multiple of those of the bcasts and of p times the pieces into which the
/// gathers and outer cut a block.
/// Volume: a leader does what the root of inner's two does, and what a rank of outer's does; between nodes
/// goes what outer sends, the vector n - 1 times for n nodes.
/// Order: nothing is folded.
/// Example with 5 ranks, 3 + 2, by fnomial and direct: 0 gets blocks 1 and 2, 3 gets 4; they send each other
/// 0, 1, 2 and 3, 4; then 0 sends all to 2 and 1, and 3 to 4.
template <class Inner, class Outer>
    requires has_schedule<Inner, collective::gather> && has_schedule<Inner, collective::bcast>
             && has_schedule<Outer, collective::allgather>
auto generate(collective_constant<collective::allgather>, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const detail::leaders lead{how.nodes, 0};
    const detail::inside_nodes<collective::gather, Inner> up(lead, how.inner, at.rank);
    const detail::inside_nodes<collective::bcast, Inner> down(lead, how.inner, at.rank);
    const auto across = detail::parts_between<collective::allgather>(lead, how.outer, at.rank);
    const block_index n = detail::common_blocks(detail::common_blocks(down.common().blocks, across.blocks()),
                                                up.common().blocks * at.size);
    const sequence all{
        sequence{detail::parts_inside(up, how.nodes, at.rank, n), stretched(across, across.rounds(), n)},
        stretched(down.part(), down.common().rounds, n)};
    capabilities stated = detail::both_claims(up.claims(), 1, across.claims(), 1);
    stated = detail::both_claims(stated, 1, down.claims(), n / down.common().blocks);
    stated.rounds = all.rounds();
    return claiming(all, moving_only(stated));
}

} // namespace tutti
