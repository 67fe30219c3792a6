// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/halving.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allreduce of whole vectors: ranks at distance 1, 2, 4, ... exchange what they have and both fold it. For
/// short vectors. If p is not a power of two, the odd ranks of the first pairs give their vector to the even
/// ones first and get the result last.
///
/// Rounds: lg p; ceil(lg p) + 1 if p is not a power of two.
/// Volume: busiest rank sends as many vectors (one block) as there are rounds, folds ceil(lg p).
/// Order: kept; both partners fold the lower ranks on the left, so all have the same bits. Restrictions:
/// none. Source: Rabenseifner and Adamidis 2004, section 3.4.
class allreduce_recursive_doubling {
public:
    constexpr explicit allreduce_recursive_doubling(place at) : at_(checked(at)), group_(at.size) {}

    constexpr round_index rounds() const noexcept { return (group_.extra() > 0 ? 2 : 0) + group_.levels(); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        const block_index exchanges = group_.levels();
        // The even rank of a pair sends once more, the result, and folds once more, its partner's vector.
        const block_index more = group_.extra() > 0 ? 1 : 0;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = group_.fold_canonically(),
                .max_outstanding = at_.size == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = exchanges + more,
                .reduced_blocks = exchanges + more,
                .uniform_rounds = more > 0 ? 0 : rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        if (group_.extra() > 0) {
            // Example with 5 ranks: 1 gives its vector to 0 in the first round and gets the result in the
            // last.
            const bool first = i == 0;
            if (first || i == rounds() - 1) {
                if (!group_.paired(at_.rank)) return;
                const rank_type partner = at_.rank ^ 1;
                if (first == group_.removed(at_.rank)) return sink(step::send(partner, all));
                if (first) return sink(step::recv_reduce(partner, all, side_of(partner, at_.rank)));
                return sink(step::recv(partner, all));
            }
            if (group_.removed(at_.rank)) return;
            --i;
        }
        // Example with 5 ranks: 0,2,3,4 are numbered 0,1,2,3; rank 0 meets rank 2, then rank 3.
        const rank_type number = group_.number(at_.rank);
        const rank_type partner = halving_partner(number, static_cast<int>(i));
        sink(step::send(group_.rank_of(partner), all));
        sink(step::recv_reduce(group_.rank_of(partner), all, side_of(partner, number)));
    }

private:
    place at_;
    survivors group_;
};

constexpr auto generate(collective_constant<collective::allreduce>, const recursive_doubling&, place at) {
    return allreduce_recursive_doubling(at);
}

} // namespace tutti
