// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch2.hpp"

namespace support {

inline std::filesystem::path project_root() {
    return std::filesystem::path(__FILE__).parent_path() / "../..";
}

/// A file of the project, named from its root.
inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(project_root() / file);
    INFO(file.string());
    REQUIRE(in.good());
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

} // namespace support
