// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

namespace detail {

/// An alltoall whose generator takes every block straight from its place in the input to its place in the
/// result, one message per pair of ranks, and says so by `static constexpr bool sends_straight = true`.
template <class Algorithm>
concept straight_alltoall =
    has_schedule<Algorithm, collective::alltoall>
    && std::remove_cvref_t<decltype(generate(of<collective::alltoall>, std::declval<const Algorithm&>(),
                                             place{}))>::sends_straight;

} // namespace detail

/// All-to-all of ranks on nodes of any sizes: every rank sends to each other node one message, of all blocks
/// that it has for the ranks there; then inside the nodes what has come is handed on. The messages that come
/// to a node are dealt to its ranks in turn, as their senders stand in the order of nodes, so that every rank
/// gets as many, give or take one.
///
/// `outer` says in which order nodes meet, `inner` in which order ranks of a node do. What comes for a rank
/// itself goes to its place in the result at once, the rest to scratch: of the senders that are a rank's, the
/// k-th not of its own node has s blocks there from k s on, if s ranks are on the node.
///
/// Rounds: outer's for as many ranks as there are nodes, and inner's for as many as the largest node has.
/// Volume: between nodes every block goes once, in p (n - 1) messages for n nodes; of p - 1 messages per rank
/// if every block went by itself, those to other nodes are as many as there are ranks on them.
/// Order: nothing is folded. Restrictions: blocks of one length; `inner` and `outer` send straight, as
/// pairwise does. Source: the lanes of Träff and Hunold 2020, for nodes of different sizes.
/// Example with 5 ranks, 3 + 2: rank 0 sends blocks 3, 4 to rank 4, which hands on that for 3; rank 1 sends
/// them to 3, rank 2 to 4; 3 sends blocks 0, 1, 2 to 0, and 4 to 1.
template <generator Inner, generator Outer>
class alltoall_by_nodes {
public:
    alltoall_by_nodes(node_map nodes, place at, Inner inner, round_index inner_rounds, Outer outer)
        : nodes_(std::move(nodes)), at_(at), inner_(std::move(inner)), outer_(std::move(outer)),
          node_(nodes_.node_of(at.rank)), number_(nodes_.number_of(at.rank)), size_(nodes_.size_of(node_)),
          outer_rounds_(nodes_.nodes() > 1 ? outer_.rounds() : 0), inner_rounds_(inner_rounds) {}

    round_index rounds() const noexcept { return outer_rounds_ + inner_rounds_; }
    block_index blocks() const noexcept { return at_.size; }

    capabilities claims() const noexcept {
        block_index kept = 0;
        for (const rank_type s : nodes_.sizes())
            kept = std::max(kept, ceil_div<block_index>(at_.size - s, s) * (s - 1));
        return moving_only({.moves_blocks = at_.size > 1,
                            .reads_input = at_.size > 2,
                            .scratch_blocks = kept,
                            .rounds = rounds()});
    }

    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
        if (i < outer_rounds_)
            outer_.emit(i, [&](const step& s) {
                if (s.kind == step_kind::send) send_to_node(s.peer, sink);
                if (s.kind == step_kind::recv) receive_from_node(s.peer, sink);
            });
        else if (i - outer_rounds_ < inner_.rounds())
            inner_.emit(i - outer_rounds_, [&](const step& s) {
                if (s.kind == step_kind::send) hand_on(s.peer, sink);
                if (s.kind == step_kind::recv) take(s.peer, sink);
            });
    }

private:
    /// Whose messages to a node a rank there gets: one in so many as the node has ranks, its own among them.
    /// Example with 5 ranks, 3 + 2: number 0 of node 1, rank 3, gets those of 1 and 3, rank 4 those of 0, 2
    /// and 4.
    struct senders {
        rank_type first = 0;  ///< position in the order of nodes
        rank_type before = 0; ///< as many before those of the node
        rank_type behind = 0;
    };
    senders of(rank_type number) const noexcept {
        const rank_type own = nodes_.before(node_) + number;
        const rank_type first = own % size_;
        return {first, (own - first) / size_, (at_.size - 1 - own) / size_};
    }

    template <class Sink>
    void send_to_node(rank_type to, Sink& sink) const {
        const rank_type own = nodes_.before(node_) + number_;
        const rank_type peer = nodes_.rank_at(to, mod(own - nodes_.before(to), nodes_.size_of(to)));
        detail::joined_blocks all(step::send(peer, {}, buffer_name::input), sink);
        for (const rank_type r : nodes_.ranks_on(to)) all.add(r);
        all.end();
    }

    template <class Sink>
    void receive_from_node(rank_type from, Sink& sink) const {
        const rank_type begin = nodes_.before(from);
        const rank_type own = nodes_.before(node_) + number_;
        for (rank_type position = begin + mod(own - begin, size_); position < begin + nodes_.size_of(from);
             position += size_) {
            const rank_type sender = nodes_.in_order(position);
            // The own node's senders are one of this rank's, and none in scratch.
            const block_index base =
                block_index{(position < own ? position : position - size_) / size_} * size_;
            detail::one_message all(sink);
            all.add(step::recv(sender, {.first = base, .count = number_}, buffer_name::scratch));
            all.add(step::recv(sender, {.first = sender, .count = 1}));
            all.add(step::recv(sender, {.first = base + number_ + 1, .count = size_ - number_ - 1},
                               buffer_name::scratch));
            all.end();
        }
    }

    /// What this rank's senders, itself among them, have for another one of the node.
    template <class Sink>
    void hand_on(rank_type to, Sink& sink) const {
        const senders mine = of(number_);
        const rank_type peer = nodes_.rank_at(node_, to);
        detail::one_message all(sink);
        const auto kept = [&](rank_type k) {
            all.add(
                step::send(peer, {.first = block_index{k} * size_ + to, .count = 1}, buffer_name::scratch));
        };
        for (rank_type k = 0; k < mine.before; ++k) kept(k);
        all.add(step::send(peer, {.first = peer, .count = 1}, buffer_name::input));
        for (rank_type k = 0; k < mine.behind; ++k) kept(mine.before + k);
        all.end();
    }

    template <class Sink>
    void take(rank_type from, Sink& sink) const {
        const senders theirs = of(from);
        const rank_type peer = nodes_.rank_at(node_, from);
        detail::one_message all(sink);
        for (rank_type k = 0; k <= theirs.before + theirs.behind; ++k)
            all.add(step::recv(peer, {.first = nodes_.in_order(theirs.first + k * size_), .count = 1}));
        all.end();
    }

    node_map nodes_;
    place at_;
    Inner inner_;
    Outer outer_;
    rank_type node_;
    rank_type number_;
    rank_type size_; // of the node
    round_index outer_rounds_;
    round_index inner_rounds_;
};

template <detail::straight_alltoall Inner, detail::straight_alltoall Outer>
auto generate(collective_constant<collective::alltoall> what, const by_nodes<Inner, Outer>& how, place at) {
    detail::check_nodes(how.nodes, at);
    const rank_type node = how.nodes.node_of(at.rank);
    // A node of one rank has nothing to hand on; of one node, of one rank, the copy is all.
    const rank_type largest = how.nodes.sizes().back();
    const round_index inside = largest == 1 && how.nodes.nodes() > 1
                                   ? 0
                                   : generate(what, how.inner, place{.size = largest}).rounds();
    return alltoall_by_nodes(
        how.nodes, at,
        generate(what, how.inner,
                 place{.rank = how.nodes.number_of(at.rank), .size = how.nodes.size_of(node)}),
        inside, generate(what, how.outer, place{.rank = node, .size = how.nodes.nodes()}));
}

} // namespace tutti
