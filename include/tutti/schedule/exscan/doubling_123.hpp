// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Exclusive scan with skips of 1, 2, 3, 6, 12, ... ranks. Rank r gets the vector V of rank r-1 as its window
/// W; then W folded with V of rank r-2, which makes W one of 3 ranks; from then on W of the rank a skip
/// before, which doubles it. What would lie before rank 0 contributes nothing: it sends V twice and is done.
///
/// Rounds: ceil(lg(4(p-1)/3)), which is ceil(lg p) or one more. Volume: the busiest rank sends one vector
/// (one block) per round and folds one per round after the first; if p - 4 is the last skip or more, one rank
/// folds one more, for W folded with V, which is made in scratch. Order: kept. Restrictions: none. Rank 0's
/// result stays undefined. One scratch block with 4 ranks or more.
/// Source: Träff 2025 (arXiv 2507.04785), 123-doubling.
class exscan_doubling_123 {
public:
    constexpr explicit exscan_doubling_123(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept {
        return ceil_log2(ceil_div(std::int64_t{4} * (at_.size - 1), std::int64_t{3}));
    }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        // Who folds in all rounds after the first is a skip or more behind rank 1; who makes W folded with V
        // has a rank two behind it.
        const bool both = at_.size > 2 && at_.size - 4 >= skip(rounds() - 1);
        return {.order_preserving = true,
                .scratch_blocks = at_.size > 3 ? 1 : 0,
                .max_outstanding = at_.size < 3 ? at_.size - 1 : 2,
                .rounds = rounds(),
                .sent_blocks = rounds(),
                .reduced_blocks = at_.size == 1 ? 0 : rounds() - 1 + (both ? 1 : 0)};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        // Example with 5 ranks: in round 1 rank 1 sends V of ranks 0 and 1 to rank 3, in round 2 that of rank
        // 0 to rank 4.
        const rank_type reach = skip(i);
        const rank_type from = at_.rank - reach;
        const bool has_window = at_.rank > 0;
        if (at_.rank < at_.size - reach && (has_window || i < 2))
            sink(step::send(at_.rank + reach, all,
                            i == 0 || !has_window ? buffer_name::input
                            : i == 1              ? buffer_name::scratch
                                                  : buffer_name::work));
        if (i > 0) {
            if (from >= (i == 1 ? 0 : 1)) sink(step::recv_reduce(from, all, operand_side::left));
            return;
        }
        if (!has_window) return;
        const bool passes_on = at_.rank < at_.size - 2;
        // Copied first: that need not wait for what comes.
        if (passes_on) sink(step::copy(all, buffer_name::input, buffer_name::scratch));
        sink(step::recv(from, all));
        if (passes_on) sink(step::reduce(all, buffer_name::work, buffer_name::scratch, operand_side::left));
    }

private:
    /// Round i sends so many ranks up.  Example with 5 ranks: 1,2,3.
    static constexpr rank_type skip(round_index i) noexcept {
        return i < 2 ? static_cast<rank_type>(i + 1) : rank_type{3} << (i - 2);
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::exscan>, const doubling_123&, place at) {
    return exscan_doubling_123(at);
}

} // namespace tutti
