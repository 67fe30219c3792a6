// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/simulate/random_numbers.hpp>

namespace tutti {

/// When ranks begin, after time 0.
struct start_skew {
    /// Who begins late.
    enum class shape : std::uint8_t { none, uniform, exponential, one_late };

    shape how = shape::none; ///< who begins late
    double us = 0;           ///< uniform: the most; exponential: the mean; one_late: of that rank
    rank_type late_rank = 0; ///< one_late
    std::uint64_t seed = 1;  ///< the same seed, the same skew, on every machine

    /// How late rank r is: its own random number, whatever the other ranks do.
    constexpr ticks of(rank_type r) const noexcept {
        random_numbers own(seed, static_cast<std::uint64_t>(r));
        switch (how) {
        case shape::none: return 0;
        case shape::uniform: return own.below(to_ticks(us) + 1);
        case shape::exponential: return own.exponential(to_ticks(us));
        case shape::one_late: return r == late_rank ? to_ticks(us) : 0;
        }
        return 0;
    }
};

} // namespace tutti
