// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace tutti {

/// Time in a simulation: picoseconds, so that costs per byte are exact.
using ticks = std::int64_t;

inline constexpr ticks ticks_per_us = 1'000'000; ///< a tick is a picosecond
inline constexpr ticks ticks_per_ns = 1'000;     ///< likewise

/// `us` >= 0 to the nearest tick.
constexpr ticks to_ticks(double us) noexcept {
    return static_cast<ticks>(us * static_cast<double>(ticks_per_us) + 0.5);
}

/// Ticks in microseconds.
constexpr double to_us(ticks t) noexcept {
    return static_cast<double>(t) / static_cast<double>(ticks_per_us);
}

/// A cost per byte that is applied to whole messages: exact if it is a whole number of ticks, else rounded
/// once per message and not once per byte. Integers only: the same on every machine.
/// Example: 0.0000123 us per byte are 12.3 ticks; 10 bytes cost 123.
class ticks_per_byte {
public:
    constexpr ticks_per_byte() = default;
    constexpr explicit ticks_per_byte(double us) noexcept
        : whole_(static_cast<ticks>(us * static_cast<double>(ticks_per_us) + smallest / 2)),
          parts_(static_cast<std::int64_t>(
              (us * static_cast<double>(ticks_per_us) - static_cast<double>(whole_)) * scale + 0.5)) {
        if (parts_ < 0) parts_ = 0;
    }

    /// What so many bytes cost, in ticks.
    constexpr ticks operator()(std::int64_t bytes) const noexcept {
        return bytes * whole_ + ((bytes * parts_ + half) >> bits);
    }
    /// Whether bytes cost nothing.
    constexpr bool none() const noexcept { return whole_ == 0 && parts_ == 0; }

private:
    static constexpr int bits = 20;
    static constexpr std::int64_t half = std::int64_t{1} << (bits - 1);
    static constexpr double scale = static_cast<double>(std::int64_t{1} << bits);
    static constexpr double smallest =
        1 / scale; // a decimal fraction just below a whole number is meant whole

    ticks whole_ = 0;
    std::int64_t parts_ = 0; // of 2^-20 ticks
};

} // namespace tutti
