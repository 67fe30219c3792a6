// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>

namespace support {

/// How many of something a test makes: as many as the environment says, `otherwise` if it says nothing.
inline std::uint64_t how_many(const char* variable, std::uint64_t otherwise) {
    const char* const given = std::getenv(variable);
    return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

} // namespace support
