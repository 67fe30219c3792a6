// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <iterator>

namespace support {

/// How many entries a folder has.
inline auto entries(const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
}
inline auto open_descriptors() { return entries("/proc/self/fd"); }

} // namespace support
