// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

/// What all checks of a transport share: how far they go, how they fail.
namespace tutti::conformance {

/// Who asks for what a check checks.
enum class level : std::uint8_t {
    required, ///< the engine: collectives may fail or hang without it
    strict,   ///< users who look for a mistake; some networks cannot offer it
};

/// How far the checks go.
struct settings {
    rank_type most_ranks = 8;                   ///< of any check; at least 2
    std::size_t longest = std::size_t{4} << 20; ///< bytes of any message; at least 8
    std::size_t most_pieces = 3000;             ///< of any message; IOV_MAX is 1024 on most systems
    int repeats = 100;                          ///< messages of the checks that send many

    /// A rank for which nothing moves that long fails, and says what it waits for. A call of the transport
    /// that does not return for twice as long ends the process.
    std::chrono::duration<double> deadline = std::chrono::seconds(60);

    /// A length beyond what lies in buffers between two ranks.
    std::size_t very_long() const { return at_most_longest(std::size_t{1} << 20); }
    /// That length, or the longest if that is less.
    std::size_t at_most_longest(std::size_t length) const { return std::min(length, longest); }
};

/// Thrown by a check that failed.
class failure : public error {
public:
    using error::error;
};

/// Throws failure with these words unless it holds.
inline void expect(bool holds, const std::string& what) {
    if (!holds) throw failure(what);
}

namespace detail {

inline std::string in_seconds(std::chrono::duration<double> time) {
    std::string text = std::to_string(time.count()); // six digits after the point
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text + " s";
}

} // namespace detail
} // namespace tutti::conformance
