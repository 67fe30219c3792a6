// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/topology/link_loads.hpp>
#include <tutti/topology/network.hpp>
#include <tutti/topology/placement.hpp>

/// How much the messages of a schedule get in each other's way on a network: computed, not believed.
///
/// All messages of a round are taken to be under way at once, those of different rounds never. A message is a
/// maximal run of send steps joined by continues(), as everywhere. One of no blocks or no bytes still is a
/// message: it counts in `messages`, `max_load` and `hops`, and adds nothing to `max_bytes`.
namespace tutti {

/// What one round of a schedule, or one permutation, does to a network.
struct round_congestion {
    std::int64_t messages = 0;  ///< to other ranks
    std::int64_t max_load = 0;  ///< messages over the link that most of them take
    std::int64_t max_bytes = 0; ///< bytes over the link that carries most; max_load if no bytes are given
    std::int64_t hops = 0;      ///< links taken by all messages together
    int max_hops = 0;           ///< links on the longest way

    /// No link carries two messages.
    bool free() const noexcept { return max_load <= 1; }

    friend constexpr bool operator==(const round_congestion&, const round_congestion&) = default;
};

/// The same of all rounds.
struct schedule_congestion {
    std::vector<round_congestion> rounds{}; ///< all of them, in order

    round_congestion worst{};     ///< the largest of each figure in any round
    round_index busy_rounds = 0;  ///< with a message
    round_index free_rounds = 0;  ///< of the busy ones, without congestion
    std::int64_t serial_load = 0; ///< sum of max_load over the rounds: busy_rounds if all are free
    /// Sum of max_bytes over the rounds: by the bandwidth of a link, the least time that the rounds take in
    /// turn.
    std::int64_t serial_bytes = 0;

    /// One round more.
    void add(const round_congestion& r) {
        rounds.push_back(r);
        worst = {.messages = std::max(worst.messages, r.messages),
                 .max_load = std::max(worst.max_load, r.max_load),
                 .max_bytes = std::max(worst.max_bytes, r.max_bytes),
                 .hops = std::max(worst.hops, r.hops),
                 .max_hops = std::max(worst.max_hops, r.max_hops)};
        if (r.messages > 0) {
            ++busy_rounds;
            if (r.free()) ++free_rounds;
        }
        serial_load += r.max_load;
        serial_bytes += r.max_bytes;
    }
};

/// The messages of one round on the links: between ranks, which are placed on the nodes of a network.
template <network N>
class round_loads {
public:
    /// `weighed`: messages have bytes, which are added up apart.
    round_loads(const N& on, placement where, bool weighed = false)
        : where_(std::move(where)), messages_(on) {
        if (where_.nodes() != on.nodes())
            detail::throw_argument("nodes of the placement", where_.nodes(),
                                   std::to_string(on.nodes()) + ", the nodes of the network");
        if (weighed) bytes_.emplace(on);
    }

    /// Where the ranks are.
    const placement& where() const noexcept { return where_; }
    /// What has been added so far.
    round_congestion figures() const noexcept {
        round_congestion all = figures_;
        all.max_load = messages().max();
        all.max_bytes = bytes().max();
        return all;
    }
    /// How many messages each link carries.
    const link_loads<N>& messages() const noexcept { return messages_; }
    /// The same as messages() if these are not weighed.
    const link_loads<N>& bytes() const noexcept { return bytes_ ? *bytes_ : messages_; }

    /// As new: the next round.
    void clear() {
        messages_.clear();
        if (bytes_) bytes_->clear();
        figures_ = {};
    }

    /// A message to oneself takes no link and is none.
    TUTTI_INLINE void add(rank_type from, rank_type to, std::int64_t bytes = 1) {
        check("sender", from);
        check("receiver", to);
        if (from == to) return;
        const node_type source = where_.node_of(from);
        const node_type target = where_.node_of(to);
        const int hops = messages_.add(source, target);
        if (bytes_) bytes_->add(source, target, bytes);
        ++figures_.messages;
        figures_.hops += hops;
        figures_.max_hops = std::max(figures_.max_hops, hops);
    }

    /// permutation(rank, size) is whom a rank sends to: itself or no_rank mean nobody.
    template <class Permutation>
    void add_permutation(const Permutation& permutation) {
        for (rank_type r = 0; r < where_.ranks(); ++r)
            if (const rank_type to = permutation(r, where_.ranks()); to != no_rank) add(r, to);
    }

private:
    void check(const char* who, rank_type r) const {
        if (r < 0 || r >= where_.ranks()) [[unlikely]]
            detail::throw_argument_below(who, r, where_.ranks());
    }

    placement where_;
    link_loads<N> messages_;
    std::optional<link_loads<N>> bytes_;
    round_congestion figures_; // but for the loads
};

/// One set of messages: rank r of the placement sends to permutation(r, ranks), whatever maps ranks to ranks,
/// for instance a value of pattern/permutation.hpp.
/// Example with 5 ranks, compact on the 2-ary 3-tree without nodes 2, 5 and 6: the shift by 2 sends from
/// nodes 0,1,3,4,7 to nodes 3,4,7,0,1. Under D-mod-k no link carries more than one, and the longest way is 6
/// links.
template <network N, class Permutation>
round_congestion congestion_of_permutation(const N& on, const placement& where,
                                           const Permutation& permutation) {
    round_loads<N> loads(on, where);
    loads.add_permutation(permutation);
    return loads.figures();
}

/// Runs through the rounds of a schedule and calls visit(round, loads) after each, loads being a
/// const round_loads<N>&, for whoever wants to see the links.
///
/// make(place) is the generator of a rank: any type of generator, any_generator where it is not known.
/// bytes: how long the blocks are, in bytes; without it messages are only counted.
template <network N, makes_generators Make, class Visit>
void visit_round_loads(const N& on, const placement& where, const Make& make,
                       const std::optional<block_layout>& bytes, rank_type root, Visit&& visit) {
    round_loads<N> loads(on, where, bytes.has_value());
    const ensemble all(make, where.ranks(), root);
    if (bytes && bytes->blocks() != all.blocks())
        detail::throw_argument("blocks of the layout in bytes", bytes->blocks(),
                               std::to_string(all.blocks()) + ", the blocks of the schedule");

    const auto run = [&](const auto& length) {
        for (round_index i = 0; i < all.rounds(); ++i) {
            loads.clear();
            for_each_message(all, i, length,
                             [&](const message& m) TUTTI_INLINE { loads.add(m.from, m.to, m.bytes); });
            visit(i, std::as_const(loads));
        }
    };
    if (bytes)
        run(block_bytes(*bytes));
    else
        run([](const block_set&) { return std::int64_t{0}; });
}

/// The congestion of every round of a schedule on as many ranks as are placed.
/// Example with 5 ranks on nodes 0..4 of the 2-ary 3-tree, allgather round a ring: 4 rounds, each 5 messages,
/// maximum load 1, longest way 6 links (4 to 0).
template <network N, makes_generators Make>
schedule_congestion congestion_of_schedule(const N& on, const placement& where, const Make& make,
                                           const std::optional<block_layout>& bytes = std::nullopt,
                                           rank_type root = 0) {
    schedule_congestion result;
    visit_round_loads(on, where, make, bytes, root,
                      [&result](round_index, const round_loads<N>& loads) { result.add(loads.figures()); });
    return result;
}

} // namespace tutti
