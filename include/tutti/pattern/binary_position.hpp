// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// Where a rank stands in a binary tree in which both children of a rank are served in one round, the one
/// after its own. The trees made of it differ in who the parent and the children are.
class binary_position {
public:
    /// no_rank at the root.
    constexpr rank_type parent() const noexcept { return parent_; }
    constexpr round_index parent_round() const noexcept { return depth_ - 1; }
    constexpr round_index last_round() const noexcept { return depth_; }

    template <class F>
    constexpr void children(round_index round, F&& f) const {
        if (round != depth_) return;
        if (right_ != no_rank) f(right_);
        if (left_ != no_rank) f(left_);
    }
    template <class F>
    constexpr void children_last_first(round_index round, F&& f) const {
        if (round != depth_) return;
        if (left_ != no_rank) f(left_);
        if (right_ != no_rank) f(right_);
    }

protected:
    rank_type parent_ = no_rank;
    rank_type left_ = no_rank;
    rank_type right_ = no_rank;
    round_index depth_ = 0;
};

} // namespace tutti
