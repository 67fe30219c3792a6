// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstdio>
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

/// As tables have it: with so many digits behind the point.
inline std::string fixed(double x, int digits) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, x);
    return text.data();
}

} // namespace support
