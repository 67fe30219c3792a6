// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// How any number of ranks is brought down to a power of two, or another number, at least half of them: of
/// the first 2 * extra ranks, which form pairs (even, even + 1), one is removed per pair; the others are
/// renumbered 0 .. power - 1 without changing their order. Source: Rabenseifner and Adamidis 2004,
/// section 3.5.
///
/// Example with 5 ranks: power 4, extra 1, the pair is (0, 1). Rank 1 is removed; ranks 0,2,3,4 become
/// 0,1,2,3. If rank 1 must stay, rank 0 is removed instead and 1,2,3,4 become 0,1,2,3.
class survivors {
public:
    /// `stays` is a rank that must not be removed; in all other pairs the even rank stays.
    constexpr explicit survivors(rank_type size, rank_type stays = 0) noexcept
        : survivors(size, stays, floor_pow2(size)) {}

    /// Down to `left`, size / 2 <= left <= size.  Example with 5 ranks, 3 left: ranks 0,2,4 become 0,1,2.
    constexpr survivors(rank_type size, rank_type stays, rank_type left) noexcept
        : power_(left), extra_(size - left) {
        odd_stays_ = paired(stays) && stays % 2 == 1 ? stays / 2 : no_rank;
    }

    constexpr rank_type power() const noexcept { return power_; } ///< so many stay
    constexpr rank_type extra() const noexcept { return extra_; } ///< so many are removed
    /// floor(lg power()): exchanges that join those that stay, if they are a power of two.
    constexpr int levels() const noexcept { return floor_log2(power_); }

    /// Whether `rank` belongs to a pair of which one is removed; the other one is rank ^ 1.
    constexpr bool paired(rank_type rank) const noexcept { return rank / 2 < extra_; }
    /// Whether `rank` is removed: the odd one of its pair, unless that is the one that stays.
    constexpr bool removed(rank_type rank) const noexcept {
        return paired(rank) && (rank % 2 == 1) != (rank / 2 == odd_stays_);
    }

    /// The new number of `rank`; a removed rank has the number of its partner.
    /// Example with 5 ranks: number(4) == 3.
    constexpr rank_type number(rank_type rank) const noexcept {
        return paired(rank) ? rank / 2 : rank - extra_;
    }

    /// The rank that has a new number.  Example with 5 ranks: rank_of(3) == 4.
    constexpr rank_type rank_of(rank_type number) const noexcept {
        if (number >= extra_) return number + extra_;
        return 2 * number + (number == odd_stays_ ? 1 : 0);
    }

    /// Whether pairs folded first, then distances 1, 2, 4, ... of numbers, make the tree of
    /// capabilities::canonical_tree: pairs must fill whole halves from the front, so the bits of p are ones,
    /// then zeros.  Example: 6 = 110 ranks, 0 1 and 2 3 in pairs, ((0 1) (2 3)) (4 5); not with 5 = 101.
    constexpr bool fold_canonically() const noexcept {
        const auto size = static_cast<std::uint32_t>(power_ + extra_);
        return std::has_single_bit(size + (size & (~size + 1)));
    }

private:
    rank_type power_;
    rank_type extra_;
    rank_type odd_stays_ = no_rank; // number of the pair whose odd rank stays
};

} // namespace tutti
