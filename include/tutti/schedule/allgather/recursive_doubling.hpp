// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/halving.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by exchange at distance 1, 2, 4, ...: both partners send all they have, always a range of
/// consecutive blocks. If p is not a power of two, of the first pairs the odd rank gives its block to the
/// even one first and gets all the others last (p' = 2^floor(lg p) ranks stay, r = p - p').
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two.
/// Volume: p - 1 of p blocks if p is a power of two; else rank 0, the busiest, sends
/// p' - 1 + sum over k < lg p' of min(2^k, r) in the exchanges and p - 1 at the end.
/// Cost: lg p alpha + (p - 1) m beta for a power of two, m being the length of a block.
/// Order: nothing is folded. Restrictions: none.
/// Source: Thakur and Gropp 2003, section 4.1; ranks are removed as in Rabenseifner and Adamidis 2004,
/// section 3.5, where the former spend 2 floor(lg p) rounds.
class allgather_recursive_doubling {
public:
    constexpr explicit allgather_recursive_doubling(place at) : at_(checked(at)), group_(at.size) {}

    constexpr round_index rounds() const noexcept { return (group_.extra() > 0 ? 2 : 0) + group_.levels(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        // All that number 0 sends in the exchanges are the blocks of numbers 0 .. 2^k - 1, k = 0, 1, ...; no
        // other range of as many numbers has more pairs in it.
        block_index sent = 0;
        for (int k = 0; k < group_.levels(); ++k) sent += held(0, k).count;
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = sent + (group_.extra() > 0 ? at_.size - 1 : 0),
                            .uniform_rounds = group_.extra() > 0 ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (group_.extra() > 0) {
            if (i == 0) return give_own(sink);
            if (i == rounds() - 1) return give_rest(sink);
            if (group_.removed(at_.rank)) return;
            --i;
        }
        // Example with 5 ranks: 0,2,3,4 are numbered 0,1,2,3. Rank 0 sends 0,1 to rank 2 and gets 2, then
        // sends 0,1,2 to rank 3 and gets 3,4.
        const auto k = static_cast<int>(i);
        const rank_type number = group_.number(at_.rank);
        const rank_type partner = halving_partner(number, k);
        sink(step::send(group_.rank_of(partner), held(number, k)));
        sink(step::recv(group_.rank_of(partner), held(partner, k)));
    }

private:
    /// The blocks of the 2^k numbers around `number`, those of removed ranks among them.
    /// Example with 5 ranks, k = 1: number 1 (rank 2) has blocks 0,1,2, number 3 (rank 4) 3,4.
    constexpr block_set held(rank_type number, int k) const noexcept {
        const rank_type first = number >> k << k;
        const block_index begin = blocks_before(first);
        return {.first = begin, .count = blocks_before(first + (rank_type{1} << k)) - begin};
    }
    constexpr block_index blocks_before(rank_type number) const noexcept {
        return number + (number < group_.extra() ? number : group_.extra());
    }

    /// Example with 5 ranks: 1 sends its block to 0.
    template <class Sink>
    constexpr void give_own(Sink& sink) const {
        if (!group_.paired(at_.rank)) return;
        const rank_type partner = at_.rank ^ 1;
        if (group_.removed(at_.rank))
            sink(step::send(partner, {.first = at_.rank, .count = 1}));
        else
            sink(step::recv(partner, {.first = partner, .count = 1}));
    }

    /// Example with 5 ranks: 0 sends 2,3,4,0 to 1.
    template <class Sink>
    constexpr void give_rest(Sink& sink) const {
        if (!group_.paired(at_.rank)) return;
        const rank_type removed = at_.rank | 1;
        const block_set rest{.first = removed + 1, .count = at_.size - 1}; // pairs end before the last rank
        sink(at_.rank == removed ? step::recv(at_.rank ^ 1, rest) : step::send(removed, rest));
    }

    place at_;
    survivors group_;
};

constexpr auto generate(collective_constant<collective::allgather>, const recursive_doubling&, place at) {
    return allgather_recursive_doubling(at);
}

} // namespace tutti
