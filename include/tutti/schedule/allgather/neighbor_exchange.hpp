// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/neighbor_pairs.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather between neighbours on the ring only, in half as many rounds as `ring`: exchange in turn with the
/// one and the other neighbour, two blocks each (one in the first round).
///
/// If p is odd, the last rank is a pair of ranks in one: in odd rounds it exchanges with both neighbours, in
/// even rounds it has nothing to do.
///
/// Rounds: ceil(p/2) (none if p is 1). Volume: every rank sends p - 1 of p blocks; two ranks send p if p is
/// odd and at least 5. Cost: p/2 alpha + (p - 1) m beta for even p, m being the length of a block.
/// Order: nothing is folded. Restrictions: none.
/// Source: Chen, Zhang, Zhang and Yuan 2005, for even p; odd p is ours.
class allgather_neighbor_exchange {
public:
    constexpr explicit allgather_neighbor_exchange(place at) : at_(checked(at)), pairs_(at.size) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : pairs_.count(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        const bool odd = at_.size % 2 == 1;
        return moving_only({.max_outstanding = at_.size == 1 ? 0
                                               : odd         ? 4
                                                             : 2,
                            .rounds = rounds(),
                            .sent_blocks = odd && at_.size > 3 ? at_.size : at_.size - 1,
                            .uniform_rounds = odd ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const rank_type left = pairs_.neighbor(at_.rank, side::left);
        const rank_type right = pairs_.neighbor(at_.rank, side::right);
        if (!pairs_.alone(at_.rank)) {
            // Example with 5 ranks: rank 2 exchanges with 3, then with 1, then with 3.
            const side outer = neighbor_pairs::side_of(at_.rank);
            const bool inside = i % 2 == 0;
            const rank_type peer = inside ? at_.rank ^ 1 : outer == side::left ? left : right;
            sink(step::send(peer, sent(outer, i, peer)));
            sink(step::recv(peer, received(outer, i)));
        } else if (i % 2 == 1) {
            // Example with 5 ranks: 4 exchanges its block in round 1 with 3 for 2,3 and with 0 for 0,1.
            sink(step::send(left, sent(side::left, i, left)));
            sink(step::send(right, sent(side::right, i, right)));
            sink(step::recv(left, received(side::left, i)));
            sink(step::recv(right, received(side::right, i)));
        }
    }

private:
    using side = neighbor_pairs::side;

    constexpr block_set sent(side where, round_index i, rank_type to) const noexcept {
        if (i == 0) return {.first = at_.rank, .count = 1};
        const block_set pair = pairs_.pair(pairs_.sent(at_.rank / 2, where, i));
        return comes_twice(to, i)
                   ? block_set{.first = pair.first + (where == side::right ? 1 : 0), .count = 1}
                   : pair;
    }
    constexpr block_set received(side where, round_index i) const noexcept {
        if (i == 0) return {.first = at_.rank ^ 1, .count = 1};
        const block_set pair = pairs_.pair(pairs_.received(at_.rank / 2, where, i));
        return comes_twice(at_.rank, i)
                   ? block_set{.first = pair.first + (where == side::left ? 1 : 0), .count = 1}
                   : pair;
    }

    /// Whether a rank would get the same pair from both sides: the lone one, if the last round is an odd one.
    /// Each neighbour then sends it one block of the pair.
    /// Example with 3 ranks: in round 1 rank 2 gets block 1 from 1 and block 0 from 0.
    constexpr bool comes_twice(rank_type receiver, round_index i) const noexcept {
        return pairs_.alone(receiver) && i == rounds() - 1;
    }

    place at_;
    neighbor_pairs pairs_;
};

constexpr auto generate(collective_constant<collective::allgather>, const neighbor_exchange&, place at) {
    return allgather_neighbor_exchange(at);
}

} // namespace tutti
