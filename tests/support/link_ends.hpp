// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace support {

/// "up from node 0 to switch <0,0>" -> "node 0" and "switch <0,0>"
inline std::pair<std::string, std::string> ends_of_link(const std::string& link) {
    const std::size_t from = link.find(" from ");
    const std::size_t to = link.find(" to ");
    return {link.substr(from + 6, to - from - 6), link.substr(to + 4)};
}

} // namespace support
