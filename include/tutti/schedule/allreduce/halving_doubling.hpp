// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// Allreduce by vector halving with distance doubling, then vector doubling with distance halving.
///
/// The vector is cut into p' = 2^floor(lg p) blocks. If r = p - p' > 0, ranks are removed first: the first 2r
/// ranks fold half a vector each in pairs and the odd one hands its half to the even one; in the last round
/// the even one sends it the whole result.
///
/// Rounds: 2 lg p', and 3 more if r > 0.
/// Volume: busiest rank sends 2 (p' - 1) blocks and folds p' - 1; if r > 0, 3 p'/2 and p'/2 more.
/// Order: kept; same bits on all ranks. Restrictions: none.
/// Source: Rabenseifner and Adamidis 2004, section 3.5 and Fig. 2, T_all,h&d.
class allreduce_halving_doubling {
public:
    constexpr explicit allreduce_halving_doubling(place at) : at_(checked(at)), group_(at.size) {}

    constexpr round_index rounds() const noexcept {
        return (group_.extra() > 0 ? 3 : 0) + 2 * group_.levels();
    }
    constexpr block_index blocks() const noexcept { return group_.power(); }

    constexpr capabilities claims() const noexcept {
        const block_index n = blocks();
        const bool uneven = group_.extra() > 0;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = group_.fold_canonically(),
                .max_outstanding = at_.size == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = 2 * (n - 1) + (uneven ? n / 2 + n : 0),
                .reduced_blocks = n - 1 + (uneven ? n / 2 : 0),
                .uniform_rounds = uneven ? 0 : rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        int exchange = static_cast<int>(i);
        if (group_.extra() > 0) {
            if (i == 0) return detail::fold_halves(group_, at_.rank, blocks(), sink);
            if (i == 1) return detail::hand_over(group_, at_.rank, blocks(), sink);
            if (i == rounds() - 1) return detail::give_result(group_, at_.rank, blocks(), sink);
            if (group_.removed(at_.rank)) return;
            exchange -= 2;
        }
        const auto rank_of = [this](rank_type number) { return group_.rank_of(number); };
        const rank_type number = group_.number(at_.rank);
        const int levels = group_.levels();
        if (exchange < levels) return detail::halve(number, exchange, blocks(), rank_of, sink);
        detail::double_back(number, 2 * levels - 1 - exchange, blocks(), rank_of, sink);
    }

private:
    place at_;
    survivors group_;
};

constexpr auto generate(collective_constant<collective::allreduce>, const halving_doubling&, place at) {
    return allreduce_halving_doubling(at);
}

} // namespace tutti
