// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/fnomial.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {
namespace detail {

/// fnomial as the catalogue has it for gather and scatter, which have no use for segments: what is short
/// enough to go through a tree gains nothing from being cut.
struct fnomial_of_parts : fnomial {
    constexpr void options(auto& is) { is("radix", radix); }
};

} // namespace detail

/// Gather along the f-nomial tree: a rank receives what the subtrees of its children have, nearest first, and
/// sends it with its own block to its parent. Counted from the root, a subtree is an interval of ranks that
/// starts at its own root, so a message is one cyclic interval of blocks, which never leave their places.
///
/// Rounds: T = ceil(log_f p), the least for radix 2. Volume: the root receives p - 1 of p blocks; of the
/// others, the one with the largest subtree sends most: f^(T-2) blocks, or min(f^(T-1), p - f^(T-1)) if that
/// is more. Order: nothing is folded. Restrictions: one segment.
/// Source: radix 2 is the binomial tree of Thakur, Rabenseifner and Gropp 2005, section 3 (as their scatter,
/// backwards); any radix: the tree of Moody, Fernandez, Petrini and Panda 2003, section 5.2.
class gather_fnomial {
public:
    constexpr gather_fnomial(rank_type radix, place at) : tree_(fnomial_tree(at, radix)), radix_(radix) {}

    constexpr round_index rounds() const noexcept { return tree_.rounds(); }
    constexpr block_index blocks() const noexcept { return tree_.at().size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = tree_.most_messages(1),
                            .rounds = rounds(),
                            .sent_blocks = largest_subtree()});
    }
    /// From its first child's message to its own.
    constexpr round_range active() const noexcept {
        return {0, rounds() - std::max(tree_.parent_round(), round_index{0})};
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const round_index down = rounds() - 1 - i; // the tree counts from the root
        tree_.children_last_first(down, [&](rank_type child)
                                            TUTTI_INLINE { sink(step::recv(child, subtree(child, i))); });
        if (down == tree_.parent_round()) sink(step::send(tree_.parent(), subtree(tree_.at().rank, i)));
    }

private:
    /// The blocks that `rank` sends in round i: those of its subtree, of f^i ranks or as many as there are.
    /// Example with 5 ranks, root 3, radix 2: in round 1 rank 0 sends blocks 0, 1, in round 2 rank 2 block 2.
    constexpr block_set subtree(rank_type rank, round_index i) const noexcept {
        const place& at = tree_.at();
        const block_index behind = at.size - relative_rank(rank, at.root, at.size);
        return {.first = rank, .count = std::min(power(radix_, static_cast<int>(i)), behind)};
    }

    /// Of a child of the root: that of the last phase whose children are full, or the first one of the last.
    /// Example with 5 ranks, radix 2: rank 2 has 2 ranks, rank 4 only 1.
    constexpr block_index largest_subtree() const noexcept {
        const auto phases = static_cast<int>(rounds());
        if (phases == 0) return 0;
        const std::int64_t last = power(radix_, phases - 1);
        return std::max(phases == 1 ? 1 : power(radix_, phases - 2), std::min(last, blocks() - last));
    }

    tree tree_;
    rank_type radix_;
};

constexpr auto generate(collective_constant<collective::gather>, const fnomial& how, place at) {
    if (how.segments != 1) detail::throw_argument("segments", how.segments, "1 for gather and scatter");
    return gather_fnomial(how.radix, at);
}

} // namespace tutti
