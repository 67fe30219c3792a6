// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/rank.hpp>

namespace tutti {

/// The halving skips of the circulant graph: size, ceil(size / 2), ceil(size / 4), ..., 1. Halving and
/// rounding up k times is the same as dividing by 2^k and rounding up once, so no table is kept. Example with
/// 5 ranks: skips 5, 3, 2, 1 for k = 0..3. Source: Träff 2024 (arXiv 2410.14234).
constexpr rank_type halving_skip(rank_type size, int k) noexcept {
    const std::int64_t parts = std::int64_t{1} << k;
    return static_cast<rank_type>((size + parts - 1) >> k);
}

/// `rank` + `distance` counted cyclically, for 0 <= distance <= size.
/// Example with 5 ranks: 3 ranks after rank 4 comes rank 2.
constexpr rank_type ahead(rank_type rank, rank_type distance, rank_type size) noexcept {
    return rank < size - distance ? rank + distance : rank - (size - distance);
}

/// `rank` - `distance` counted cyclically, for 0 <= distance <= size.
/// Example with 5 ranks: 3 ranks before rank 1 comes rank 3.
constexpr rank_type behind(rank_type rank, rank_type distance, rank_type size) noexcept {
    return rank >= distance ? rank - distance : rank + (size - distance);
}

/// Round the ring of ranks, to the next higher one or to the next lower one.
enum class direction : bool { up, down };

constexpr direction opposite(direction where) noexcept {
    return where == direction::up ? direction::down : direction::up;
}

/// The rank `distance` ranks along the ring from `rank`.
/// Example with 5 ranks: 3 up from rank 4 is rank 2, 3 down is rank 1.
constexpr rank_type along(direction where, rank_type rank, rank_type distance, rank_type size) noexcept {
    return where == direction::up ? ahead(rank, distance, size) : behind(rank, distance, size);
}

} // namespace tutti
