// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/fnomial.hpp>
#include <tutti/pattern/group.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {
namespace detail {

/// All ranks, counted from the root, with the whole vector, and how often both are halved.
struct split_plan {
    place at;
    int splits = 0;

    constexpr int levels() const noexcept { return std::min(splits, ceil_log2(at.size)); }
    constexpr rank_group whole() const noexcept { return {0, at.size, 0, block_index{1} << splits}; }
    constexpr rank_type relative() const noexcept { return relative_rank(at.rank, at.root, at.size); }
    constexpr rank_type absolute(rank_type relative) const noexcept {
        return absolute_rank(relative, at.root, at.size);
    }
    constexpr rank_group group(int level) const noexcept { return group_of(relative(), whole(), level); }

    /// Ranks of the largest group: the root's.
    constexpr rank_type largest() const noexcept {
        return static_cast<rank_type>(ceil_div(std::int64_t{at.size}, std::int64_t{1} << levels()));
    }
};

/// Blocks folded by the rank that folds most. Either the first rank of the largest group: half of the piece
/// per level, then its children's pieces; or the last rank of all, which folds twice whenever its group is
/// odd.
constexpr block_index split_reduced_blocks(const split_plan& plan, rank_type radix) noexcept {
    const block_index all = plan.whole().blocks;
    const block_index piece = all >> plan.levels();
    const tree in_largest = fnomial_tree({0, plan.largest(), 0}, radix);
    const block_index first = all - piece + in_largest.most_children() * piece;
    block_index last = 0;
    for (int level = 0; level < plan.levels() && plan.at.size >> level > 1; ++level)
        last += (all >> (level + 1)) * (1 + (plan.at.size >> level) % 2);
    return std::max(first, last);
}

/// Most messages of one rank in one round.
constexpr std::int64_t split_messages(const split_plan& plan, rank_type radix) noexcept {
    if (plan.at.size == 1) return 0;
    const int even_levels = std::countr_zero(static_cast<std::uint32_t>(plan.at.size));
    const bool folds_twice = even_levels < plan.levels() && plan.at.size >> even_levels > 1;
    const std::int64_t halving = plan.levels() == 0 ? 0 : folds_twice ? 3 : 2;
    const std::int64_t in_group = fnomial_tree({0, plan.largest(), 0}, radix).most_messages(1);
    const std::int64_t collecting =
        std::min(std::int64_t{plan.at.size}, std::int64_t{1} << plan.levels()) - 1;
    return std::max({halving, in_group, collecting});
}

/// Halving pairs ranks that lie far apart: it keeps the order for two ranks, and for three whose root is not
/// 0.
constexpr bool split_keeps_order(const split_plan& plan, rank_type radix) {
    if (plan.levels() == 0) return fnomial_tree(plan.at, radix).keeps_order();
    return plan.at.size == 2 || (plan.at.size == 3 && plan.at.root != 0);
}

/// Halving rounds, the reduction inside this rank's group by the f-nomial tree, a round in which the pieces
/// are collected.
class split_flow {
public:
    constexpr split_flow(const split_plan& plan, rank_type radix)
        : plan_(plan), group_(plan.group(plan.levels())), tree_(tree_in_group(plan, group_, radix)),
          radix_(radix) {}

    constexpr round_index rounds() const noexcept {
        return plan_.levels() + tree_.rounds() + (plan_.levels() > 0 ? 1 : 0);
    }
    constexpr block_index blocks() const noexcept { return plan_.whole().blocks; }
    constexpr capabilities claims() const noexcept {
        // In the halving rounds all do the same as long as all groups are even.
        const int even = std::countr_zero(static_cast<std::uint32_t>(plan_.at.size));
        return {.order_preserving = split_keeps_order(plan_, radix_),
                .same_bits_on_all_ranks = true,
                .canonical_tree = plan_.levels() == 0 && fnomial_tree(plan_.at, radix_).canonical(),
                .max_outstanding = split_messages(plan_, radix_),
                .rounds = rounds(),
                .sent_blocks = plan_.at.size == 1 ? 0 : blocks(),
                .reduced_blocks = plan_.at.size == 1 ? 0 : split_reduced_blocks(plan_, radix_),
                .uniform_rounds = std::min(plan_.levels(), even)};
    }
    constexpr round_range active() const noexcept {
        if (plan_.levels() > 0) return {0, rounds()};
        return {0, rounds() - std::max(tree_.parent_round(), round_index{0})};
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        const round_index in_group = i - plan_.levels();
        if (in_group < 0)
            halve(static_cast<int>(i), sink);
        else if (in_group < tree_.rounds())
            reduce(tree_.rounds() - 1 - in_group, sink);
        else
            collect(sink);
    }

private:
    /// On member numbers of the group; smaller groups idle in the last rounds of the reduction.
    static constexpr tree tree_in_group(const split_plan& plan, const rank_group& group, rank_type radix) {
        if (radix < 2) throw_argument("radix", radix, "at least 2"); // before ceil_log, which needs it
        return fnomial_tree({plan.relative() - group.first, group.size, 0}, radix,
                            ceil_log(radix, plan.largest()));
    }

    /// Each rank gives the half piece that its group gives away to its partner in the other half of the
    /// group, and folds what it gets. If the lower half is larger by one, its last rank has no partner: it
    /// gives to the upper half's last rank and gets nothing.
    /// Example with 5 ranks, root 0, 2 blocks: 0 <-> 3, 1 <-> 4 exchange and 2 -> 4; then 0, 1, 2 share
    /// block 0.
    template <class Sink>
    TUTTI_INLINE constexpr void halve(int level, Sink& sink) const {
        const rank_group group = plan_.group(level);
        if (group.size == 1) return;
        const rank_group lower = group.lower();
        const rank_group upper = group.upper();
        const rank_type me = plan_.relative();
        if (me < upper.first) {
            const rank_type partner = upper.first + std::min(me - lower.first, upper.size - 1);
            sink(step::send(plan_.absolute(partner), upper.piece()));
            if (me - lower.first < upper.size) sink(fold(partner, lower.piece()));
        } else {
            const rank_type partner = lower.first + (me - upper.first);
            sink(step::send(plan_.absolute(partner), lower.piece()));
            sink(fold(partner, upper.piece()));
            const bool last = me == upper.first + upper.size - 1;
            if (last && lower.size > upper.size) sink(fold(partner + 1, upper.piece()));
        }
    }

    /// Example with 5 ranks, root 0, 2 blocks: 1 -> 0, then 2 -> 0 on block 0; 4 -> 3 on block 1.
    template <class Sink>
    TUTTI_INLINE constexpr void reduce(round_index down, Sink& sink) const {
        tree_.children_last_first(
            down, [&](rank_type member) TUTTI_INLINE { sink(fold(group_.first + member, group_.piece())); });
        if (down == tree_.parent_round())
            sink(step::send(plan_.absolute(group_.first + tree_.parent()), group_.piece()));
    }

    /// The first rank of every group sends its piece to the root.
    /// Example with 5 ranks, root 0, 2 blocks: 3 sends block 1 to 0.
    template <class Sink>
    TUTTI_INLINE constexpr void collect(Sink& sink) const {
        if (plan_.relative() == 0)
            for_each_group(plan_.whole(), plan_.levels(), [&](const rank_group& other) TUTTI_INLINE {
                if (other.first != 0) sink(step::recv(plan_.absolute(other.first), other.piece()));
            });
        else if (plan_.relative() == group_.first)
            sink(step::send(plan_.at.root, group_.piece()));
    }

    constexpr step fold(rank_type relative, block_set piece) const noexcept {
        const rank_type from = plan_.absolute(relative);
        return step::recv_reduce(from, piece, side_of(from, plan_.at.rank));
    }

    split_plan plan_;
    rank_group group_;
    tree tree_;
    rank_type radix_;
};

} // namespace detail

/// Reduction with the vector split: groups of ranks are halved s times together with the vector, each group
/// reduces its piece by the f-nomial tree, and the groups' roots send the pieces to the root.
///
/// Rounds: e + ceil(log_f ceil(p / 2^e)) + 1 with e = min(s, ceil(log2 p)) halvings; without any, the
/// f-nomial reduction's.
/// Volume in blocks of 1/2^s vector: every rank but the root sends 2^s, one vector; the first rank of the
/// largest group folds 2^s - 2^(s-e) and its children's pieces of 2^(s-e); the last rank folds twice where
/// its group is odd, and may fold more.
/// Order: not kept (but see split_keeps_order).
/// Any size, any root, any f >= 2, 0 <= s <= 30; a group of one rank is not halved any more and keeps its
/// piece.
/// Example with 5 ranks, root 0, radix 2, s = 1: halving 0 <-> 3, 1 <-> 4, 2 -> 4; block 0: 1 -> 0, then 2
/// -> 0; block 1: 4 -> 3; then 3 -> 0.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 5.3, after van de Geijn 1991.
constexpr auto generate(collective_constant<collective::reduce>, const fnomial_split& how, place at) {
    if (how.splits < 0 || how.splits > 30) detail::throw_argument_below("splits", how.splits, 31);
    return detail::split_flow({checked(at), how.splits}, how.radix);
}

} // namespace tutti
