// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Ranks 0 .. size - 1 in groups of neighbours: as few as there can be of at most `most` ranks, and of sizes
/// that differ by one at most, the larger ones first.
///
/// Example with 5 ranks: at most 2 in a group are 0 1, 2 3 and 4; at most 3 are 0 1 2 and 3 4.
class even_groups {
public:
    constexpr even_groups(rank_type size, rank_type most)
        : count_(ceil_div(size, most)), each_(size / count_), larger_(size % count_) {}

    /// ceil(size / most), the fewest that suffice.  Example with 5 ranks, at most 2: 3.
    constexpr rank_type count() const noexcept { return count_; }
    /// So many of them have one rank more than the others.
    constexpr rank_type larger() const noexcept { return larger_; }
    /// Ranks of the first group: no other has more, and it may have fewer than `most`.
    constexpr rank_type largest() const noexcept { return size(0); }
    /// Ranks of one group, 0 <= group < count().
    constexpr rank_type size(rank_type group) const noexcept { return each_ + (group < larger_ ? 1 : 0); }

    /// The first rank of a group.  Example with 5 ranks, at most 2: those of groups 0, 1, 2 are 0, 2, 4.
    constexpr rank_type first(rank_type group) const noexcept {
        return group * each_ + (group < larger_ ? group : larger_);
    }

    /// Example with 5 ranks, at most 2: 3 is in group 1, 4 in group 2.
    constexpr rank_type group_of(rank_type rank) const noexcept {
        const rank_type in_larger = larger_ * each_ + larger_; // a rank: each_ + 1 need not be one
        return rank < in_larger ? rank / (each_ + 1) : larger_ + (rank - in_larger) / each_;
    }

private:
    rank_type count_;
    rank_type each_;
    rank_type larger_;
};

} // namespace tutti
