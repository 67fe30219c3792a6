// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>

namespace tutti {

/// Number of a participant, 0 <= rank < size; also a number of ranks.
using rank_type = std::int32_t;

/// Stands for "no rank": the parent of a root, the peer of a local step.
inline constexpr rank_type no_rank = -1;

/// Where a generator sits: which rank of how many, and which rank is distinguished.
struct place {
    rank_type rank = 0; ///< 0 <= rank < size
    rank_type size = 1; ///< number of ranks, p >= 1
    rank_type root = 0; ///< 0 <= root < size; ignored by collectives without a root

    friend constexpr bool operator==(const place&, const place&) = default;
};

/// `rank` counted cyclically from `root`.  Example with 5 ranks, root 3: ranks 3,4,0,1,2 become 0,1,2,3,4.
constexpr rank_type relative_rank(rank_type rank, rank_type root, rank_type size) noexcept {
    return rank >= root ? rank - root : rank - root + size;
}

/// Inverse of relative_rank.  Example with 5 ranks, root 3: relative 0,1,2,3,4 are ranks 3,4,0,1,2.
constexpr rank_type absolute_rank(rank_type relative, rank_type root, rank_type size) noexcept {
    return relative < size - root ? relative + root : relative - (size - root);
}

/// Refuses a place that is none: size < 1, rank or root outside [0, size). Returns it otherwise.
constexpr place checked(place at) {
    if (at.size < 1) detail::throw_argument("size", at.size, "at least 1");
    if (at.rank < 0 || at.rank >= at.size) detail::throw_argument_below("rank", at.rank, at.size);
    if (at.root < 0 || at.root >= at.size) detail::throw_argument_below("root", at.root, at.size);
    return at;
}

} // namespace tutti
