// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include "support/xml.hpp"

/// The two kinds of executors that tutti::msccl_options tells of: whether they take an algorithm for a call
/// of that many bytes.
namespace support {

inline bool taken_by_msccl(const xml& algo, bool in_place, std::int64_t bytes) {
    return (algo["inplace"] == "1") == in_place && bytes >= std::stoll(algo["minBytes"])
           && bytes < std::stoll(algo["maxBytes"]);
}

inline bool taken_by_rccl(const xml& algo, bool in_place, std::int64_t bytes) {
    const std::int64_t most = std::stoll(algo["maxBytes"]);
    return algo[in_place ? "inplace" : "outofplace"] == "1" && bytes >= std::stoll(algo["minBytes"])
           && (most == 0 || bytes <= most);
}

} // namespace support
