// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <thread> // for its clocks; <chrono> brings string streams, too

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>

namespace tutti::detail {

/// How long a rank waits for others while nothing moves.
class patience {
public:
    /// 0: for ever. Refuses what is negative or no number.
    [[gnu::cold]] void set(double seconds);

    bool is_limited() const noexcept { return seconds_ > 0; }
    /// Whether it is at its end, `turns` looks in vain after something moved last. Looks at the clock now and
    /// then, and at the first of them.
    [[gnu::cold]] bool is_over(std::uint32_t turns) noexcept;
    [[gnu::cold]] std::string why() const;

private:
    using clock = std::chrono::steady_clock;

    double seconds_ = 0;
    clock::time_point since_{};
};

#if TUTTI_BODIES
TUTTI_BODY void patience::set(double seconds) {
    if (!(seconds >= 0)) throw argument_error("seconds", std::to_string(seconds), "0 (for ever) or more");
    seconds_ = seconds;
}

TUTTI_BODY bool patience::is_over(std::uint32_t turns) noexcept {
    constexpr std::uint32_t looks = 16; // a wait that is long parks for up to a millisecond at a time
    if (turns % looks != 0) return false;
    const clock::time_point now = clock::now();
    if (turns == 0) since_ = now;
    return std::chrono::duration<double>(now - since_).count() > seconds_;
}

TUTTI_BODY std::string patience::why() const {
    return "nothing has come for " + std::to_string(seconds_)
           + " s, which is the deadline of this communicator";
}
#endif

} // namespace tutti::detail
