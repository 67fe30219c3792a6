// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/pattern/exchanges.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// Allreduce of whole vectors: ranks exchange what they have and both fold it, in the order that `Exchanges`
/// says. If p is not a power of two, the odd ranks of the first pairs give their vector to the even ones
/// first and get the result last.
///
/// Rounds: lg p; ceil(lg p) + 1 if p is not a power of two.
/// Volume: busiest rank sends and folds ceil(lg p) vectors (one block each).
/// Order: that of the exchanges; both partners fold the same on the left, so all have the same bits.
/// Restrictions: none. Source: the order's; ranks are removed as in Rabenseifner and Adamidis 2004, 3.4.
template <class Exchanges>
class allreduce_exchanges {
public:
    constexpr explicit allreduce_exchanges(place at) : at_(checked(at)), group_(at.size) {}

    constexpr round_index rounds() const noexcept { return (group_.extra() > 0 ? 2 : 0) + group_.levels(); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        const block_index exchanges = group_.levels();
        // The even rank of a pair sends once more, the result, and folds once more, its partner's vector.
        const block_index more = group_.extra() > 0 ? 1 : 0;
        return {.order_preserving = Exchanges::keeps_order,
                .same_bits_on_all_ranks = true,
                .canonical_tree = Exchanges::keeps_order && group_.fold_canonically(),
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
            if (i == 0) return detail::give_vector(group_, at_.rank, sink);
            if (i == rounds() - 1) return detail::give_result(group_, at_.rank, blocks(), sink);
            if (group_.removed(at_.rank)) return;
            --i;
        }
        // Example with 5 ranks, distances 1 and 2: 0,2,3,4 are numbered 0,1,2,3; rank 0 meets rank 2, then
        // rank 3.
        const auto k = static_cast<int>(i);
        const rank_type number = group_.number(at_.rank);
        const rank_type peer = group_.rank_of(Exchanges::partner(number, k, group_.levels()));
        sink(step::send(peer, all));
        sink(step::recv_reduce(peer, all,
                               Exchanges::is_left(number, k, group_.levels()) ? operand_side::right
                                                                              : operand_side::left));
    }

private:
    place at_;
    survivors group_;
};

} // namespace tutti
