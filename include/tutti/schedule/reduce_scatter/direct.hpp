// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Reduce-scatter in one round: every block straight to its owner, which folds them outwards from its own,
/// the lower ranks first, so that the order of ranks is kept.
///
/// Rounds: 1. Volume: every rank sends p - 1 of p blocks and folds p - 1, in 2 (p - 1) messages at once.
/// Order: kept. Restrictions: none, but the number of messages in flight grows with p.
/// Source: the direct algorithm; receiver sorts (see Thakur and Gropp 2003 for the pairwise form).
class reduce_scatter_direct {
public:
    constexpr explicit reduce_scatter_direct(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        const block_index others = at_.size - 1;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .max_outstanding = 2 * others,
                .rounds = rounds(),
                .sent_blocks = others,
                .reduced_blocks = others,
                .uniform_rounds = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index, Sink&& sink) const {
        // Example with 5 ranks: rank 2 sends to 3,4,0,1 (nobody is everybody's first), folds 1,0 left and 3,4
        // right.
        for (rank_type distance = 1; distance < at_.size; ++distance) {
            const rank_type to = ahead(at_.rank, distance, at_.size);
            sink(step::send(to, {.first = to, .count = 1}));
        }
        const block_set own{.first = at_.rank, .count = 1};
        for (rank_type from = at_.rank - 1; from >= 0; --from)
            sink(step::recv_reduce(from, own, operand_side::left));
        for (rank_type from = at_.rank + 1; from < at_.size; ++from)
            sink(step::recv_reduce(from, own, operand_side::right));
    }

private:
    place at_;
};

constexpr auto generate(collective_constant<collective::reduce_scatter>, const direct&, place at) {
    return reduce_scatter_direct(at);
}

} // namespace tutti
