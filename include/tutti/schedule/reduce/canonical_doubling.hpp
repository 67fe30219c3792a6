// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/canonical_halves.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Reduce of whole vectors along the one tree of capabilities::canonical_tree, whatever the root. The first
/// 2^k ranks and the others, who are parted likewise, reduce among themselves in the same rounds, each part
/// to the root if it is there, else to its first rank, who then sends its fold to the root.
///
/// Rounds: ceil(lg p), the lower bound. Volume: every rank but the root sends one vector (a block); a rank
/// folds ceil(lg p) at most. Order: kept for any root, along the canonical tree; fnomial keeps it for two
/// roots. Restrictions: none.
/// Source: here; for root 0 it is the binomial tree, in other rounds.
class reduce_canonical_doubling {
public:
    constexpr explicit reduce_canonical_doubling(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        // The root folds most, unless it has few ranks around it: then the first rank of all does.
        canonical_halves h(at_.size);
        block_index at_root = 0;
        for (; !h.doubles(at_.root); h = h.inner()) ++at_root;
        at_root += h.rounds() + (h.others() > 0 ? 1 : 0);
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = true,
                .max_outstanding = at_.size == 1 ? 0 : 1,
                .rounds = rounds(),
                .sent_blocks = at_.size == 1 ? 0 : 1,
                .reduced_blocks = std::max<block_index>(at_root, floor_log2(at_.size))};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        rank_type to = at_.root;
        canonical_halves h(at_.size);
        for (; !h.doubles(at_.rank); h = h.inner()) {
            const rank_type first = h.inner().base();
            const rank_type of_others = h.doubles(to) ? first : to;
            if (i == h.rounds() && at_.rank == of_others) {
                if (h.doubles(to))
                    sink(step::send(to, all));
                else
                    sink(step::recv_reduce(h.base(), all, operand_side::left));
            }
            to = of_others;
        }
        fold_first(h, to, i, sink);
    }

private:
    static constexpr block_set all{.first = 0, .count = 1};

    /// Among the first 2^k of this level, the fold of all going to rank `to`, who may be one of the others.
    /// Example with 5 ranks, root 1: 0 sends to 1 and 2 to 3, then 3 to 1, then 4 to 1.
    template <class Sink>
    constexpr void fold_first(const canonical_halves& h, rank_type to, round_index i, Sink& sink) const {
        const rank_type target = h.doubles(to) ? to : h.base();
        const auto apart = static_cast<std::uint32_t>((at_.rank - h.base()) ^ (target - h.base()));
        const int sends_in = apart == 0 ? h.rounds() : std::countr_zero(apart);
        if (i < sends_in) {
            const rank_type peer = h.doubling_peer(at_.rank, i);
            sink(step::recv_reduce(peer, all, side_of(peer, at_.rank)));
        } else if (i == sends_in && apart != 0) {
            sink(step::send(h.doubling_peer(at_.rank, i), all));
        } else if (i == h.rounds() && at_.rank == target && h.others() > 0) {
            if (target == to)
                sink(step::recv_reduce(h.inner().base(), all, operand_side::right));
            else
                sink(step::send(to, all));
        }
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::reduce>, const canonical_doubling&, place at) {
    return reduce_canonical_doubling(at);
}

} // namespace tutti
