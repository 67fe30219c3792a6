// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// The f-nomial (= k-nomial) tree for any radix f and any number of ranks: in each phase of the reduction
/// every group of f neighbouring survivors is folded into its first one. Radix 2 is the binomial tree.
/// Moody, Fernandez, Petrini and Panda 2003, section 5.2 and appendix A; a root other than 0 by cyclic
/// renumbering, as there.
///
/// Phases count from the leaves, as in the paper; rounds count from the root, as in every tree here.
class fnomial_tree {
public:
    /// A tree that must keep pace with a taller one may be given more `phases` than it needs: in the last
    /// ones, which are the first rounds, nobody has a child.
    constexpr fnomial_tree(place at, rank_type radix, int phases = 0)
        : at_(checked(at)), radix_(checked_radix(radix)), relative_(relative_rank(at.rank, at.root, at.size)),
          needed_(ceil_log(radix, at.size)), phases_(std::max(phases, needed_)), parent_phase_(needed_) {
        if (relative_ == 0) return;
        // Appendix A: in phase k survivors lie f^k apart; a rank whose digit k is not 0 is a child then, and
        // its parent is the survivor before it whose digit k is 0.
        rank_type higher = relative_; // the digits from parent_phase_ on
        for (parent_phase_ = 0; higher % radix == 0; ++parent_phase_) higher /= radix;
        digit_ = higher % radix;
        parent_ = static_cast<rank_type>(relative_ - digit_ * power(radix, parent_phase_));
    }

    /// Example with 5 ranks, root 0, radix 2: the parents of 1, 2, 3, 4 are 0, 0, 2, 0.
    constexpr rank_type parent() const noexcept {
        return parent_ == no_rank ? no_rank : absolute_rank(parent_, at_.root, at_.size);
    }
    constexpr round_index parent_round() const noexcept {
        return parent_ == no_rank ? no_round : phases_ - 1 - parent_phase_;
    }
    constexpr round_index rounds() const noexcept { return phases_; }

    /// Example with 5 ranks, root 0, radix 3: rank 0 visits 3 in round 0, then 2 and 1.
    template <class F>
    constexpr void children(round_index round, F&& f) const {
        const auto phase = static_cast<int>(phases_ - 1 - round);
        if (phase >= parent_phase_) return;
        const std::int64_t stride = power(radix_, phase);
        for (std::int64_t n = children_at(stride); n > 0; --n)
            f(absolute_rank(static_cast<rank_type>(relative_ + n * stride), at_.root, at_.size));
    }
    template <class F>
    constexpr void children_last_first(round_index round, F&& f) const {
        const auto phase = static_cast<int>(phases_ - 1 - round);
        if (phase >= parent_phase_) return;
        const std::int64_t stride = power(radix_, phase);
        const std::int64_t many = children_at(stride);
        for (std::int64_t n = 1; n <= many; ++n)
            f(absolute_rank(static_cast<rank_type>(relative_ + n * stride), at_.root, at_.size));
    }

    /// Appendix A's array_receives[phase].
    /// Example with 5 ranks, root 0, radix 3: rank 0 has 2 children in phase 0 and one in phase 1.
    constexpr std::int64_t children_in_phase(int phase) const noexcept {
        return phase < parent_phase_ ? children_at(power(radix_, phase)) : 0;
    }

    /// Appendix A's num_child: where this rank's message lies among its parent's receive buffers; -1 at the
    /// root.
    /// Example with 5 ranks, root 0, radix 3: ranks 1, 2, 3, 4 are children 0, 1, 2, 0.
    constexpr std::int64_t child_number() const noexcept {
        return parent_ == no_rank ? -1 : std::int64_t{parent_phase_} * (radix_ - 1) + digit_ - 1;
    }

    /// In all phases but the last the root has its full radix - 1 children. The paper's formula, section 5.2:
    /// (f-1) floor(log_f P) + ceil(P / f^floor(log_f P)) - 1.
    /// Example with 5 ranks, radix 3: 2 + 1.
    constexpr std::int64_t most_children() const noexcept { return most_messages(phases_ + round_index{1}); }

    /// The root's: full phases come first. A rank below it has a parent's message in place of a full phase.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        if (needed_ == 0) return 0;
        if (window < needed_) return window * (radix_ - 1);
        return std::int64_t{needed_ - 1} * (radix_ - 1) + (at_.size - 1) / power(radix_, needed_ - 1);
    }

    constexpr bool keeps_order() const noexcept {
        if (at_.size == 1) return true;
        const std::int64_t stride = power(radix_, needed_ - 1);
        return detail::cyclic_intervals_keep_order(at_, (at_.size - 1) / stride * stride);
    }

private:
    static constexpr rank_type checked_radix(rank_type radix) {
        if (radix < 2) detail::throw_argument("radix", radix, "at least 2");
        return radix;
    }

    constexpr std::int64_t children_at(std::int64_t stride) const noexcept {
        const std::int64_t behind = at_.size - 1 - relative_;
        if (behind < stride) return 0;
        if (behind >= (radix_ - 1) * stride) return radix_ - 1; // nearly always: no division
        return behind / stride;
    }

    place at_;
    rank_type radix_;
    rank_type relative_;
    int needed_;                 // phases that connect all ranks
    int phases_;                 // needed_ and idle ones
    int parent_phase_;           // phases in which this rank is still a parent
    rank_type parent_ = no_rank; // relative
    rank_type digit_ = 0;        // digit parent_phase_ of relative_
};

static_assert(tree<fnomial_tree>);

} // namespace tutti
