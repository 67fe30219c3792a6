// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/block.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/pattern/skips.hpp>

namespace tutti {

/// Ranks on a ring in pairs (0,1), (2,3), ..., who exchange in even rounds with the partner in the pair and
/// in odd rounds with the neighbour on the other side. What a rank sends is a whole pair: in round 1 its own,
/// then always the one that it got the round before. So pairs travel round the ring, one hop in two rounds,
/// and are shared with the partner in between. If the number of ranks is odd, the last one is a pair by
/// itself: it has a neighbour of another pair on both sides and nobody to talk to in even rounds.
/// Source: Chen, Zhang, Zhang and Yuan 2005, for an even number of ranks.
///
/// Example with 5 ranks: the pairs are (0,1), (2,3), (4). Round 0: 0 and 1, 2 and 3 exchange. Round 1: 0 and
/// 4, 1 and 2, 3 and 4. Round 2: 0 and 1 exchange what they got from 4 and 2.
class neighbor_pairs {
public:
    /// The side on which the other pair is: the left for the even rank of a pair, the right for the odd one.
    enum class side : std::int8_t { left = -1, right = 1 };

    constexpr explicit neighbor_pairs(rank_type size) noexcept : size_(size) {}

    /// ceil(size / 2): a rank that is a pair by itself counts.
    constexpr rank_type count() const noexcept { return size_ / 2 + size_ % 2; }

    /// Whether a rank is a pair by itself.  Example with 5 ranks: rank 4.
    constexpr bool alone(rank_type rank) const noexcept { return size_ % 2 == 1 && rank == size_ - 1; }

    /// Where a rank that is not alone looks in odd rounds.
    static constexpr side side_of(rank_type rank) noexcept {
        return rank % 2 == 0 ? side::left : side::right;
    }
    /// Example with 5 ranks: left of 0 is 4, right of 3 is 4.
    constexpr rank_type neighbor(rank_type rank, side where) const noexcept {
        return where == side::left ? behind(rank, 1, size_) : ahead(rank, 1, size_);
    }

    /// The ranks of a pair.  Example with 5 ranks: pair 1 is 2,3; pair 2 is 4.
    constexpr block_set pair(rank_type number) const noexcept {
        const rank_type first = 2 * number;
        return {.first = first, .count = first == size_ - 1 ? 1 : 2};
    }

    /// The pair that a rank of pair `own` sends in round `round` >= 1.
    /// Example with 5 ranks: rank 2 (pair 1, left) sends pair 1 in round 1 and pair 0 in round 2.
    constexpr rank_type sent(rank_type own, side where, std::int64_t round) const noexcept {
        const std::int64_t hops = round / 2;
        return away(own, round % 2 == 0 ? hops : -hops, where);
    }
    /// The pair that it receives in that round.
    /// Example with 5 ranks: rank 2 gets pair 0 in round 1 and pair 2 in round 2.
    constexpr rank_type received(rank_type own, side where, std::int64_t round) const noexcept {
        const std::int64_t hops = (round + 1) / 2;
        return away(own, round % 2 == 0 ? -hops : hops, where);
    }

private:
    /// The pair `hops` pairs on towards a side.
    constexpr rank_type away(rank_type own, std::int64_t hops, side where) const noexcept {
        return static_cast<rank_type>(
            mod<std::int64_t>(own + static_cast<std::int64_t>(where) * hops, count()));
    }

    rank_type size_;
};

} // namespace tutti
