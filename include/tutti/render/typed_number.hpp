// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace tutti {

/// "64K", "1M", "1000": in the fewest letters, exactly, as the program's options take it; K is 1024.
inline std::string typed_number(std::int64_t n) {
    for (const auto& [letter, shift] : {std::pair{'G', 30}, {'M', 20}, {'K', 10}})
        if (n > 0 && n % (std::int64_t{1} << shift) == 0) return std::to_string(n >> shift) + letter;
    return std::to_string(n);
}

} // namespace tutti
