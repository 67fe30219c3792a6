// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// A block of 2^exponent neighbouring ranks. The binary representation of `size` cuts the ranks into such
/// blocks, in descending size from rank 0.  Example with 5 ranks: ranks 0..3 (exponent 2) and rank 4
/// (exponent 0). Source: Rabenseifner and Adamidis 2004, section 3.6.
struct rank_block {
    rank_type first = 0; ///< lowest rank in it
    int exponent = 0;    ///< it has 2^exponent ranks

    /// 2^exponent: the block is [first, first + ranks()).
    constexpr rank_type ranks() const noexcept { return rank_type{1} << exponent; }
    friend constexpr bool operator==(const rank_block&, const rank_block&) = default;
};

/// The block that `rank` is in, 0 <= rank < size. At the highest bit in which rank and size differ, size has
/// a 1 (the block) and rank a 0; the bits above, which they share, are the ranks before the block. Example
/// with 5 ranks (101): rank 3 (011) differs first in bit 2, rank 4 (100) in bit 0.
constexpr rank_block block_of(rank_type rank, rank_type size) noexcept {
    const int exponent = floor_log2(rank ^ size);
    return {.first = (size >> exponent >> 1) << exponent << 1, .exponent = exponent};
}

/// Whether a block lies behind this one.  Example with 5 ranks: behind the block of rank 3, yes; of rank 4,
/// no.
constexpr bool has_smaller(const rank_block& block, rank_type size) noexcept {
    return block.first + block.ranks() < size;
}

/// The next smaller block, if has_smaller.
constexpr rank_block smaller(const rank_block& block, rank_type size) noexcept {
    return block_of(block.first + block.ranks(), size);
}

/// Whether a block lies before this one.
constexpr bool has_larger(const rank_block& block) noexcept { return block.first > 0; }

/// The next larger block, if has_larger.
constexpr rank_block larger(const rank_block& block, rank_type size) noexcept {
    return block_of(block.first - 1, size);
}

/// The largest difference of two consecutive exponents, 0 for a power of two: the ratio of block sizes, and
/// so the imbalance, is 2 to this.  Example with 5 ranks: 2 - 0 == 2. The paper's: 100 = 2^6 + 2^5 + 2^2
/// has 3.
constexpr int delta_expo_max(rank_type size) noexcept {
    int largest = 0;
    for (auto rest = static_cast<std::uint32_t>(size); !std::has_single_bit(rest); rest &= rest - 1) {
        const int difference = std::countr_zero(rest & (rest - 1)) - std::countr_zero(rest);
        if (difference > largest) largest = difference;
    }
    return largest;
}

} // namespace tutti
