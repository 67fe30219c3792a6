// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>

namespace tutti {

/// Gather in one round: every rank sends its block straight to the root.
/// Rounds: 1 (0 for one rank). Volume: every rank but the root sends 1 of p blocks; the root receives p - 1.
class gather_direct {
public:
    constexpr explicit gather_direct(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only(
            {.max_outstanding = at_.size - 1, .rounds = rounds(), .sent_blocks = at_.size == 1 ? 0 : 1});
    }

    template <class Sink>
    constexpr void emit(round_index, Sink&& sink) const {
        if (at_.rank != at_.root) return sink(step::send(at_.root, {.first = at_.rank, .count = 1}));
        // Example with 5 ranks: root 3 receives from 4,0,1,2.
        for (rank_type distance = 1; distance < at_.size; ++distance) {
            const rank_type from = ahead(at_.rank, distance, at_.size);
            sink(step::recv(from, {.first = from, .count = 1}));
        }
    }

private:
    place at_;
};

/// Reduce: the pairwise reduce-scatter, then every rank sends its block straight to the root.
///
/// Rounds: p. Volume: the busiest rank sends p of p blocks and folds p - 1; the root receives 2 (p - 1), the
/// last p - 1 of them as messages in one round. Order: needs a commutative operation. Restrictions: none.
/// Source: Rabenseifner and Adamidis 2004, section 3.7, T_red,ring.
constexpr auto generate(collective_constant<collective::reduce>, const ring&, place at) {
    const sequence both{reduce_scatter_pairwise(at), gather_direct(at)};
    return claiming(both, {.same_bits_on_all_ranks = true,
                           .max_outstanding = at.size == 1  ? 0
                                              : at.size < 3 ? 2
                                                            : at.size - 1,
                           .rounds = both.rounds(),
                           .sent_blocks = at.size == 1 ? 0 : at.size,
                           .reduced_blocks = at.size - 1,
                           .uniform_rounds = both.claims().uniform_rounds});
}

} // namespace tutti
