// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/capabilities.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// The root of the canonical tree over the last n ranks: the first 2^k of them, as many as can be, and the
/// others, who are parted likewise by inner(). Who tells whom what the others have, in rounds ready() to
/// rounds(), so that all of the first ranks know when they have doubled: see allreduce_canonical_doubling.
/// Example with 5 ranks: 0..3 and 4. Rank 4 tells 0 in round 0, 0 tells 1 in round 1, they tell 2 and 3 in
/// round 2.
class canonical_halves {
public:
    constexpr explicit canonical_halves(rank_type size) noexcept : canonical_halves(0, size) {}

    /// The first of the ranks. Example with 5 ranks: 0; inside, 4.
    constexpr rank_type base() const noexcept { return base_; }
    /// k, the rounds in which the first ranks double. Example with 5 ranks: 2.
    constexpr int rounds() const noexcept { return rounds_; }
    /// How many are not among the first 2^k. Example with 5 ranks: 1.
    constexpr rank_type others() const noexcept { return others_; }
    /// The round before which the others have their fold, if there are any; at most k. Example with 5 ranks:
    /// 0.
    constexpr int ready() const noexcept { return ready_; }
    /// Of the others alone, of whom there are some.
    constexpr canonical_halves inner() const noexcept { return {base_ + many(), others_}; }

    /// Whether a rank, base() or behind, is one of the first. Example with 5 ranks: 0..3 are.
    constexpr bool doubles(rank_type rank) const noexcept { return rank - base_ < many(); }
    /// Example with 5 ranks: rank 1 meets rank 0 in round 0, rank 3 in round 1.
    constexpr rank_type doubling_peer(rank_type rank, round_index i) const noexcept {
        return base_ + ((rank - base_) ^ (rank_type{1} << i));
    }

    /// Whether one of the others is as far behind the first of them as this one of the first is behind
    /// base(). Example with 5 ranks: of rank 0.
    constexpr bool has_partner(rank_type rank) const noexcept { return rank - base_ < others_; }
    /// That one; of one of the others, the one among the first. Example with 5 ranks: of 0 it is 4, of 4 it
    /// is 0.
    constexpr rank_type partner_of(rank_type rank) const noexcept {
        return doubles(rank) ? rank + many() : rank - many();
    }

    /// Calls f(rank) for whom this one of the others tells in round ready(): the first 2^ready(), of whom
    /// there are less than two for each of the others. Example with 11 ranks: 8, 9, 10 have their fold before
    /// round 2; 8 tells 0 and 3, 9 tells 1, 10 tells 2.
    template <class F>
    constexpr void for_each_told(rank_type rank, F&& f) const {
        for (rank_type to = rank - base_ - many(); to < (rank_type{1} << ready_); to += others_)
            f(base_ + to);
    }
    /// To whom this one of the first passes it on in round i; no_rank if to nobody.
    /// Example with 5 ranks: rank 0 to rank 1 in round 1, to rank 2 in round 2.
    constexpr rank_type passes_to(rank_type rank, round_index i) const noexcept {
        if (!passes(i) || rank - base_ >= half(i)) return no_rank;
        return rank + half(i);
    }
    /// By whom this one of the first is told in round i; no_rank if by nobody.
    /// Example with 5 ranks: rank 0 by rank 4 in round 0, rank 3 by rank 1 in round 2.
    constexpr rank_type told_by(rank_type rank, round_index i) const noexcept {
        const rank_type x = rank - base_;
        if (others_ > 0 && i == ready_ && x < (rank_type{1} << i))
            return base_ + many() + (x < others_ ? x : x - others_);
        return passes(i) && x >= half(i) && x < 2 * half(i) ? rank - half(i) : no_rank;
    }

private:
    constexpr canonical_halves(rank_type base, rank_type size) noexcept
        : base_(base), rounds_(floor_log2(size)), others_(size - (rank_type{1} << rounds_)),
          ready_(others_ > 0 ? ceil_log2(others_) : 0) {}

    constexpr rank_type many() const noexcept { return rank_type{1} << rounds_; }
    constexpr bool passes(round_index i) const noexcept { return others_ > 0 && ready_ < i && i <= rounds_; }
    /// How many of the first ranks know when round i, ready() < i, begins.
    static constexpr rank_type half(round_index i) noexcept { return rank_type{1} << (i - 1); }

    rank_type base_;
    int rounds_;
    rank_type others_;
    int ready_;
};

} // namespace tutti
