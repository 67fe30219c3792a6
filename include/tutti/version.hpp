// SPDX-License-Identifier: BSL-1.0
#pragma once

/// The version of tutti: the one place where it is written. CMake and the packages read these three lines.
#define TUTTI_VERSION_MAJOR 0
#define TUTTI_VERSION_MINOR 1
#define TUTTI_VERSION_PATCH 0

namespace tutti {

/// The version of the library, as numbers.
struct version_number {
    int breaking; ///< grows when users may break; not called major, which some C libraries have as a macro
    int feature;  ///< grows with what is new; not called minor, likewise
    int fix;      ///< grows with what is repaired

    friend constexpr bool operator==(const version_number&, const version_number&) = default;
};

/// The one that was compiled.
inline constexpr version_number version{TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR, TUTTI_VERSION_PATCH};

} // namespace tutti
