// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Windows of ranks that grow to p - 1, one binary digit of that a round, from the top: a 0 doubles the
/// window by the one that a rank as far away has, a 1 doubles it plus one by that rank's window with itself.
/// Example with 5 ranks: p - 1 is 100; the windows before rounds 0, 1, 2 are 0, 1, 2, the distances 1, 1, 2.
/// Source: Bar-Noy, Kipnis and Schieber 1993 (census).
class census_windows {
public:
    constexpr explicit census_windows(rank_type size) noexcept : last_(size - 1), rounds_(ceil_log2(size)) {}

    /// ceil(lg p), so none for one rank.  Example with 5 ranks: 3.
    constexpr round_index rounds() const noexcept { return rounds_; }

    /// Digit i of p - 1, from the top.  Example with 5 ranks: 1,0,0.
    constexpr rank_type digit(round_index i) const noexcept { return (last_ >> (rounds_ - 1 - i)) & 1; }
    /// The number that the first i digits make.  Example with 5 ranks: 0,1,2.
    constexpr rank_type before(round_index i) const noexcept { return last_ >> (rounds_ - i); }
    /// Round i sends so many ranks up.  Example with 5 ranks: 1,1,2: in round 2 rank 1 sends to rank 3.
    constexpr rank_type distance(round_index i) const noexcept { return before(i) + digit(i); }

    /// How many digits are 1.
    constexpr int ones() const noexcept { return std::popcount(static_cast<std::uint32_t>(last_)); }

private:
    rank_type last_;
    round_index rounds_; // p - 1 has so many digits, or one less: then the first one is 0
};

} // namespace tutti
