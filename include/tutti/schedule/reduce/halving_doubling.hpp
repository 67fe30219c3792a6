// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// Reduce by vector halving with distance doubling, then a gather along a binary tree.
///
/// The vector is cut into p' = 2^floor(lg p) blocks. If r = p - p' > 0, ranks are removed first: the first 2r
/// ranks fold half a vector each in pairs, and one of each pair hands its half to the other. A root that
/// would be removed stays and its partner goes instead, at no cost.
///
/// Rounds: 2 lg p', and 2 more if r > 0.
/// Volume: busiest rank sends p' - 1 + p'/2 blocks and folds p' - 1; if r > 0, p'/2 more of each at a rank
/// that stays of a pair (which need not be the one that sends most in the gather). Order: kept, for any root.
/// Restrictions: none. Source: Rabenseifner and Adamidis 2004, section 3.5, T_red,h&d.
class reduce_halving_doubling {
public:
    constexpr explicit reduce_halving_doubling(place at) : at_(checked(at)), group_(at.size, at.root) {}

    constexpr round_index rounds() const noexcept { return removal_rounds() + 2 * group_.levels(); }
    constexpr block_index blocks() const noexcept { return group_.power(); }

    constexpr capabilities claims() const noexcept {
        const block_index n = blocks();
        const block_index folded_half = group_.extra() > 0 ? n / 2 : 0;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = group_.fold_canonically(),
                .max_outstanding = at_.size == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = n - 1 + folded_half + most_gathered(),
                .reduced_blocks = n - 1 + folded_half,
                .uniform_rounds = group_.extra() > 0 ? 0 : group_.levels()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (group_.extra() > 0) {
            if (i == 0) return detail::fold_halves(group_, at_.rank, blocks(), sink);
            if (i == 1) return detail::hand_over(group_, at_.rank, blocks(), sink);
            if (group_.removed(at_.rank)) return;
        }
        const auto rank_of = [this](rank_type number) { return group_.rank_of(number); };
        const rank_type number = group_.number(at_.rank);
        const int levels = group_.levels();
        const int exchange = static_cast<int>(i - removal_rounds());
        if (exchange < levels) return detail::halve(number, exchange, blocks(), rank_of, sink);
        detail::gather(number, group_.number(at_.root), 2 * levels - 1 - exchange, blocks(), rank_of, sink);
    }

private:
    constexpr round_index removal_rounds() const noexcept { return group_.extra() > 0 ? 2 : 0; }

    /// Most blocks that one of the busiest ranks sends in the gather. A rank that first differs from the root
    /// in bit k sends p' / 2^(k+1). Only the numbers below r are busiest if ranks were removed: take the one
    /// nearest the root.
    constexpr block_index most_gathered() const noexcept {
        const rank_type root = group_.number(at_.root);
        const rank_type busiest = group_.extra() > 0 ? group_.extra() : group_.power();
        rank_type nearest = root ^ 1;
        if (nearest >= busiest) nearest = (root < busiest ? root : busiest) - 1;
        return nearest < 0 ? 0 : blocks() >> (floor_log2(nearest ^ root) + 1);
    }

    place at_;
    survivors group_;
};

constexpr auto generate(collective_constant<collective::reduce>, const halving_doubling&, place at) {
    return reduce_halving_doubling(at);
}

} // namespace tutti
