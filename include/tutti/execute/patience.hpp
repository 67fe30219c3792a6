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

    /// One wait: since when nothing has moved.
    class wait {
    public:
        void moved() noexcept { looks_ = 0; }

    private:
        friend class patience;
        std::uint32_t looks_ = 0; // in vain
        std::chrono::steady_clock::time_point since_{};
    };
    /// A look in vain: whether it was one too many. Looks at the clock the first time, and now and then.
    [[gnu::cold]] bool is_over(wait& of) const noexcept;
    [[gnu::cold]] std::string why() const;

private:
    double seconds_ = 0;
};

#if TUTTI_BODIES
TUTTI_BODY void patience::set(double seconds) {
    if (!(seconds >= 0)) throw argument_error("seconds", std::to_string(seconds), "0 (for ever) or more");
    seconds_ = seconds;
}

TUTTI_BODY bool patience::is_over(wait& of) const noexcept {
    constexpr std::uint32_t looks = 16; // a wait that is long parks for up to a millisecond at a time
    if (of.looks_++ % looks != 0) return false;
    const auto now = std::chrono::steady_clock::now();
    if (of.looks_ == 1) of.since_ = now;
    return std::chrono::duration<double>(now - of.since_).count() > seconds_;
}

TUTTI_BODY std::string patience::why() const {
    return "nothing has come for " + std::to_string(seconds_)
           + " s, which is the deadline of this communicator";
}
#endif

} // namespace tutti::detail
