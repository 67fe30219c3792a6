// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Reduce-scatter in which every block goes straight to its owner, at a distance that grows by one per round.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks and folds p - 1.
/// Order: needs a commutative operation: after ranks r-1 .. 0, which go to the left, comes p-1, the highest,
/// before those between. Restrictions: none. Source: Rabenseifner and Adamidis 2004, section 3.2 (ring
/// algorithms), after Thakur and Gropp 2003.
class reduce_scatter_pairwise {
public:
    constexpr explicit reduce_scatter_pairwise(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return {.same_bits_on_all_ranks = true,
                .max_outstanding = at_.size == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = at_.size - 1,
                .reduced_blocks = at_.size - 1,
                .uniform_rounds = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: in round 1 rank 3 sends block 0 to rank 0 and folds block 3 from rank 1.
        const auto distance = static_cast<rank_type>(i + 1);
        const rank_type to = ahead(at_.rank, distance, at_.size);
        const rank_type from = behind(at_.rank, distance, at_.size);
        sink(step::send(to, {.first = to, .count = 1}));
        sink(step::recv_reduce(from, {.first = at_.rank, .count = 1}, side_of(from, at_.rank)));
    }

private:
    place at_;
};

constexpr auto generate(collective_constant<collective::reduce_scatter>, const pairwise&, place at) {
    return reduce_scatter_pairwise(at);
}

} // namespace tutti
