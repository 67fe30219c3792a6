// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/rank.hpp>

/// Pairs among 2^levels ranks whose distances alternate in direction, so that they add up to less than powers
/// of two: 1, -1, 3, -5, 11, ..., exchange s = 0, 1, ..., seen from even ranks; odd ranks go the other way.
///
/// After exchanges levels-1, ..., s+1, far ones first, all that a rank has met is two classes of ranks modulo
/// 2^(s+2): its own and that of its partner in exchange s+1 (levels-1 apart: itself alone). For distances s
/// and s+1 differ by 2^(s+1): the partner y of x in exchange s and that in exchange s+1, say x', are x' = y +
/// 2^(s+1) modulo 2^(s+2). So x has met {x, y + 2^(s+1)} and y {y, x + 2^(s+1)} modulo 2^(s+2), together {x,
/// y} modulo 2^(s+1), which is the same one exchange further.
/// Source: De Sensi, Bonato, Saam and Hoefler 2024 (Swing, NSDI); the classes are ours.
namespace tutti {

/// The distance of exchange s from an even rank to its partner: (1 - (-2)^(s+1)) / 3.
constexpr rank_type swing_distance(int s) noexcept {
    const std::int64_t power = std::int64_t{1} << (s + 1);
    return static_cast<rank_type>((s % 2 == 0 ? 1 + power : 1 - power) / 3);
}

/// With whom `rank` of 2^levels exchanges in exchange s.
/// Example with 5 ranks (of which 4 take part): rank 0 meets rank 1 (s = 0) and rank 3 (s = 1).
constexpr rank_type swing_partner(rank_type rank, int s, int levels) noexcept {
    const std::int64_t away = rank % 2 == 0 ? swing_distance(s) : -swing_distance(s);
    return static_cast<rank_type>((rank + away) & ((std::int64_t{1} << levels) - 1));
}

/// Whether what `rank` has before exchange s, far exchanges being done before, goes to the left of what its
/// partner has: all who have the same agree. It is decided by the even class of both.
/// Example with 5 ranks (of which 4 take part): exchange 0 joins {0, 3} and {1, 2}; 0 and 3 are on the left.
constexpr bool swing_is_left(rank_type rank, int s, int levels) noexcept {
    if (s == levels - 1) return rank < swing_partner(rank, s, levels);
    const rank_type even = rank % 2 == 0 ? rank : swing_partner(rank, s + 1, levels);
    return (even >> (s + 1)) % 2 == 0;
}

/// Near exchanges first, s - 1 being the last done: where the 2^s neighbours begin that `rank` stands for, if
/// of each pair only one goes on, as up a tree; may be negative.
/// Example with 5 ranks (of which 4 take part): after exchange 0 rank 0 stands for {0, 1}, rank 3 for {2, 3};
/// of four that are done in 16 ranks, rank 0 stands for -10 .. 5.
constexpr rank_type swing_interval(rank_type rank, int s) noexcept {
    const auto below = static_cast<rank_type>((std::int64_t{1} << s) - 1);
    return rank - (below & (rank % 2 == 0 ? 0x2AAAAAAA : 0x55555555));
}

} // namespace tutti
