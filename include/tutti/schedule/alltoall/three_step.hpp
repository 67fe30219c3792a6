// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/lanes.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

/// All-to-all of s ranks on each of n nodes, in which what a node has for another one goes there together:
/// gathered inside the nodes, sent between them, scattered inside the nodes.
///
/// A bundle is what one rank has for all ranks of one node, s blocks. A node has N s of them, N = n - 1 for
/// each of its ranks. In the order of the nodes they are for, nearest ahead first, and of their ranks for one
/// node, every rank of the node carries N in a row, so all carry as much; the lane's rank on the other node
/// gets them, and hands on what is for others there. Ranks of a node meet as by pairwise.
///
/// Rounds: s - 1, ceil((N - g)/s) + 1 with g = gcd(N, s), and s - 1 again. Of one node s - 1, of nodes of one
/// rank n - 1; 1 for one rank, which copies its block.
/// Volume: between nodes every block goes once, in N + s - g messages of a node, where multi_lane has N s:
/// in one for each other node if s divides N. A rank sends p - s blocks to others, and in its node
/// (s - 1)(N + 1) and what of its own others carry, s (N - floor(N/s)) or s (N - ceil(N/s)).
/// Order: nothing is folded. Restrictions: nodes of equally many ranks, blocks of one length.
/// Source: Bienz, Gropp and Olson 2020 (arXiv 1904.05838), the three steps, there for what sparse matrices
/// exchange; that ranks carry equally much whatever n and s are is ours.
/// Example with 6 ranks, 2 + 2 + 2 (of 5 only nodes of one rank, or one node, are alike): each node has 4
/// bundles. Those of ranks 0 and 1 for node 1 are carried by 0, and those for node 2 by 1: so 0 and 1 give
/// each other one, 0 sends both of its own to 2, and 1 to 5, which hands on to 4 two of four blocks.
class alltoall_three_step {
public:
    alltoall_three_step(node_map nodes, place at)
        : nodes_(std::move(nodes)), where_(nodes_, at), at_(at), node_(where_.in_lane.rank),
          number_(where_.in_node.rank), each_(where_.in_node.size), others_(where_.in_lane.size - 1) {
        const round_index meetings = each_ - 1;
        gathering_ = others_ == 0 && each_ == 1 ? 1 : meetings; // one rank has its copy to make
        sending_ = others_ == 0 ? 0 : ceil_div<round_index>(others_ - std::gcd(others_, each_), each_) + 1;
        scattering_ = others_ == 0 ? 0 : meetings;
    }

    round_index rounds() const noexcept { return gathering_ + sending_ + scattering_; }
    block_index blocks() const noexcept { return at_.size; }

    /// Of two ranks on a node each carries what comes from nodes that the other one carries for, and so gave
    /// away what it had for them before it is written over.
    capabilities claims() const noexcept {
        block_index fewest = others_; // bundles of its own that a rank carries
        for (rank_type carrier = 0; carrier < each_; ++carrier)
            fewest =
                std::min(fewest, own_before(carrier, end(carrier)) - own_before(carrier, begin(carrier)));
        const block_index given = (others_ - fewest) * each_;
        const block_index carried = block_index{others_} * each_;
        const block_index handed_on = block_index{others_} * (each_ - 1);
        return moving_only({.moves_blocks = at_.size > 1,
                            .reads_input = at_.size > 2 && each_ != 2,
                            .scratch_blocks = given + handed_on,
                            .rounds = rounds(),
                            .sent_blocks = each_ - 1 + given + carried + handed_on,
                            .uniform_rounds = others_ == 1 || others_ % each_ == 0 ? rounds()
                                              : others_ % each_ == 1               ? gathering_
                                                                                   : 0});
    }

    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
        if (i < gathering_) {
            if (each_ == 1) return;
            const auto distance = static_cast<rank_type>(i + 1);
            give(ahead(number_, distance, each_), sink);
            take(behind(number_, distance, each_), sink);
        } else if (i < gathering_ + sending_) {
            const auto turn = begin(number_) / each_ + (i - gathering_);
            if (turn * each_ >= end(number_)) return;
            send(static_cast<rank_type>(turn), sink);
            receive(static_cast<rank_type>(turn), sink);
        } else {
            const auto distance = static_cast<rank_type>(i - gathering_ - sending_ + 1);
            hand_on(ahead(number_, distance, each_), sink);
            accept(behind(number_, distance, each_), sink);
        }
    }

private:
    // Bundle number turn * s + k of a node is that of its rank k for the node turn + 1 ahead.
    // Example with 6 ranks, 2 + 2 + 2: bundle 2 of node 1 is rank 2's for node 0.
    block_index begin(rank_type carrier) const noexcept { return block_index{carrier} * others_; }
    block_index end(rank_type carrier) const noexcept { return begin(carrier) + others_; }
    /// How many bundles of rank `owner` of a node come before one.
    block_index own_before(rank_type owner, block_index bundle) const noexcept {
        return (bundle + each_ - 1 - owner) / each_;
    }
    /// Example with 6 ranks, 2 + 2 + 2: from node 2 turn 0 goes to node 0, and comes from node 1.
    rank_type node_to(rank_type turn) const noexcept { return ahead(node_, turn + 1, others_ + 1); }
    rank_type node_from(rank_type turn) const noexcept { return behind(node_, turn + 1, others_ + 1); }

    /// Calls f(turn, slot) for the bundles of `owner` that `carrier` carries; slot is where it has them.
    template <class F>
    void for_each_given(rank_type owner, rank_type carrier, F&& f) const {
        for (block_index turn = own_before(owner, begin(carrier)); turn * each_ + owner < end(carrier);
             ++turn)
            f(static_cast<rank_type>(turn), turn * each_ + owner - begin(carrier));
    }
    /// Calls f(owner, slot) for the bundles that this rank carries in a turn.
    template <class F>
    void for_each_carried(rank_type turn, F&& f) const {
        const block_index first = block_index{turn} * each_;
        const block_index last = std::min(first + each_, end(number_));
        for (block_index bundle = std::max(first, begin(number_)); bundle < last; ++bundle)
            f(static_cast<rank_type>(bundle - first), bundle - begin(number_));
    }

    /// The block for `carrier` itself, and bundles that it carries.
    template <class Sink>
    void give(rank_type carrier, Sink& sink) const {
        const rank_type peer = nodes_.rank_at(node_, carrier);
        detail::joined_blocks all(step::send(peer, {}, buffer_name::input), sink);
        all.add(peer);
        for_each_given(number_, carrier, [&](rank_type turn, block_index) {
            for (const rank_type r : nodes_.ranks_on(node_to(turn))) all.add(r);
        });
        all.end();
    }

    template <class Sink>
    void take(rank_type owner, Sink& sink) const {
        const rank_type peer = nodes_.rank_at(node_, owner);
        detail::one_message all(sink);
        all.add(step::recv(peer, {.first = peer, .count = 1}));
        for_each_given(owner, number_, [&](rank_type, block_index slot) {
            all.add(step::recv(peer, {.first = slot * each_, .count = each_}, buffer_name::scratch));
        });
        all.end();
    }

    template <class Sink>
    void send(rank_type turn, Sink& sink) const {
        const rank_type to = node_to(turn);
        const rank_type peer = nodes_.rank_at(to, number_);
        detail::one_message all(sink);
        for_each_carried(turn, [&](rank_type owner, block_index slot) {
            if (owner != number_) {
                all.add(step::send(peer, {.first = slot * each_, .count = each_}, buffer_name::scratch));
                return;
            }
            for (auto left = nodes_.ranks_on(to); !left.empty();) { // neighbours as one piece
                std::size_t n = 1;
                while (n < left.size() && left[n] == left[n - 1] + 1) ++n;
                const block_set blocks{.first = left[0], .count = static_cast<block_index>(n)};
                all.add(step::send(peer, blocks, buffer_name::input));
                left = left.subspan(n);
            }
        });
        all.end();
    }

    /// The block for this rank itself goes to its place at once.
    template <class Sink>
    void receive(rank_type turn, Sink& sink) const {
        const rank_type from = node_from(turn);
        const rank_type peer = nodes_.rank_at(from, number_);
        detail::one_message all(sink);
        for_each_carried(turn, [&](rank_type owner, block_index slot) {
            const block_index base = slot * each_;
            all.add(step::recv(peer, {.first = base, .count = number_}, buffer_name::scratch_1));
            all.add(step::recv(peer, {.first = nodes_.rank_at(from, owner), .count = 1}));
            all.add(step::recv(peer, {.first = base + number_ + 1, .count = each_ - number_ - 1},
                               buffer_name::scratch_1));
        });
        all.end();
    }

    template <class Sink>
    void hand_on(rank_type to, Sink& sink) const {
        sink(step::send(nodes_.rank_at(node_, to), {.first = to, .count = others_, .run = 1, .stride = each_},
                        buffer_name::scratch_1));
    }

    template <class Sink>
    void accept(rank_type carrier, Sink& sink) const {
        detail::joined_blocks all(step::recv(nodes_.rank_at(node_, carrier), {}), sink);
        for (block_index bundle = begin(carrier); bundle < end(carrier); ++bundle)
            all.add(nodes_.rank_at(node_from(static_cast<rank_type>(bundle / each_)),
                                   static_cast<rank_type>(bundle % each_)));
        all.end();
    }

    node_map nodes_;
    detail::lane_places where_;
    place at_;
    rank_type node_;
    rank_type number_;
    rank_type each_;   // ranks on a node
    rank_type others_; // nodes
    round_index gathering_;
    round_index sending_;
    round_index scattering_;
};

inline auto generate(collective_constant<collective::alltoall>, const three_step& how, place at) {
    return alltoall_three_step(how.nodes, at);
}

} // namespace tutti
