// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version of tutti: the one place where it is written. CMake and the packages read these three lines.
#define TUTTI_VERSION_MAJOR 0
#define TUTTI_VERSION_MINOR 1
#define TUTTI_VERSION_PATCH 0

namespace tutti {

struct version_number {
    int breaking; ///< the three parts of semantic versioning, not named major and minor: those are macros
    int feature;  ///< of some C libraries
    int fix;

    friend constexpr bool operator==(const version_number&, const version_number&) = default;
};

inline constexpr version_number version{TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR, TUTTI_VERSION_PATCH};

} // namespace tutti
