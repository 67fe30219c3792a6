// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace support {

/// Of two colours, "#rrggbb", as WCAG 2 has it: 1 to 21.
inline double contrast(std::string_view one, std::string_view other) {
    const auto luminance = [](std::string_view colour) {
        if (colour.size() != 7) throw std::runtime_error("no colour: " + std::string(colour));
        double sum = 0;
        const double weights[] = {0.2126, 0.7152, 0.0722};
        for (std::size_t k = 0; k < 3; ++k) {
            const double c = std::stoi(std::string(colour.substr(1 + 2 * k, 2)), nullptr, 16) / 255.0;
            sum += weights[k] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
        }
        return sum;
    };
    const double a = luminance(one), b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

} // namespace support
