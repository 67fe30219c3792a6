// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>

#include <tutti/core/capabilities.hpp>

namespace support {

/// What `combine(a, b)` makes of a claim that neither states, that the second, the first, that both state.
template <class Combine>
std::array<bool, 4> combined(bool tutti::capabilities::*claim, const Combine& combine) {
    const auto stating = [&](bool stated) {
        tutti::capabilities claims{};
        claims.*claim = stated;
        return claims;
    };
    std::array<bool, 4> made{};
    for (std::size_t k = 0; k < 4; ++k) made[k] = combine(stating(k >= 2), stating(k % 2 == 1)).*claim;
    return made;
}

inline constexpr std::array claimed_if_by_both{false, false, false, true};
inline constexpr std::array claimed_if_by_any{false, true, true, true};

} // namespace support
