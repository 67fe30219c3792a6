// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/fnomial.hpp>

namespace tutti {

/// Scatter down the f-nomial tree: block r of the root's vector goes to rank r. A subtree is an interval of
/// ranks that starts at its own root, cyclically, so a message is the interval of their blocks, which lie
/// where they belong from the first round on; ranks inside the tree keep those of their subtree.
///
/// Rounds: ceil(log_f p). Volume: the root sends p - 1 of p blocks. Order: nothing is folded. Any size, any
/// root, any f >= 2.
/// Source: Barnett, Gupta, Payne, Shuler, van de Geijn and Watts 1994 (minimum spanning tree scatter).
class fnomial_scatter {
public:
    constexpr fnomial_scatter(place at, rank_type radix) : tree_(fnomial_tree(at, radix)), radix_(radix) {}

    constexpr round_index rounds() const noexcept { return tree_.rounds(); }
    constexpr block_index blocks() const noexcept { return tree_.at().size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = tree_.most_messages(1),
                            .rounds = rounds(),
                            .sent_blocks = tree_.at().size - 1});
    }

    /// How many ranks the largest subtree below the root has: so many blocks the busiest rank sends when this
    /// goes backwards. At most p/2.
    /// Example with 5 ranks, root 0: 2, with radix 2 that of ranks 2,3, with radix 3 that of 3,4.
    constexpr block_index largest_subtree() const noexcept {
        if (rounds() == 0) return 0;
        const std::int64_t first = stride(0);
        return std::max(std::min(first, tree_.at().size - first), rounds() > 1 ? stride(1) : 0);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks, root 3, radix 2: 3 sends block 2 to 2; then blocks 0,1 to 0; then 4 to 4
        // while 0 sends block 1 to 1.
        if (i == tree_.parent_round()) sink(step::recv(tree_.parent(), subtree(tree_.at().rank, i)));
        tree_.children(i, [&](rank_type child) { sink(step::send(child, subtree(child, i))); });
    }

private:
    /// How many ranks a subtree has whose root receives in a round, unless it is the last one.
    constexpr std::int64_t stride(round_index round) const noexcept {
        return power(radix_, static_cast<int>(rounds() - 1 - round));
    }

    constexpr block_set subtree(rank_type rank, round_index round) const noexcept {
        const auto& [_, size, root] = tree_.at();
        return {.first = rank,
                .count = std::min<std::int64_t>(stride(round), size - relative_rank(rank, root, size))};
    }

    tree tree_;
    rank_type radix_;
};

static_assert(generator<fnomial_scatter>);

} // namespace tutti
