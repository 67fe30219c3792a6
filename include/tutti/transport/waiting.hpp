// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include <tutti/core/compiled.hpp>
#include <tutti/transport/doorbell.hpp>

/// How a thread waits for another: spin, then yield, then park.
namespace tutti::detail {

/// Cores that this process may use, which are often fewer than there are; at least 1.
[[gnu::cold]] std::uint32_t usable_cores() noexcept;

/// The ladder of one wait, by the number of fruitless looks so far.
class waiting_ladder {
public:
    /// Spinning only helps when the awaited thread has a core of its own.
    explicit waiting_ladder(std::int32_t ranks, std::uint32_t cores = usable_cores()) noexcept
        : shares_cores_(static_cast<std::uint32_t>(ranks) > cores), spins_(shares_cores_ ? 0 : spins_alone) {}

    bool shares_cores() const noexcept { return shares_cores_; }

    void wait(std::uint32_t turns, doorbell& bell) const {
        if (turns < spins_ + yields) {
            wait_awake(turns);
        } else if ((turns - spins_ - yields) % 2 == 0) {
            bell.announce();
        } else {
            bell.park();
        }
    }

    /// The same, but never parked.
    void wait_awake(std::uint32_t turns) const {
        // The first looks follow each other at full speed: most hand-overs end here, and a pause instruction
        // takes as long as a cache line needs to cross over.
        if (turns >= spins_)
            std::this_thread::yield();
        else if (turns >= eager_looks)
            relax();
    }

    /// From time to time in a wait that is long already: every 30 ms or so.
    bool is_late(std::uint32_t turns) const noexcept { return turns > spins_ + yields && turns % 64 == 0; }

private:
    static constexpr std::uint32_t eager_looks = 64;
    static constexpr std::uint32_t spins_alone = 512; // some 20 microseconds
    static constexpr std::uint32_t yields = 8192;     // some milliseconds: parking is for those really late

    bool shares_cores_;
    std::uint32_t spins_;
};

#if TUTTI_BODIES
TUTTI_BODY std::uint32_t usable_cores() noexcept {
#if defined(__linux__)
    cpu_set_t mine;
    if (::sched_getaffinity(0, sizeof mine, &mine) == 0)
        return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&mine)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}
#endif

} // namespace tutti::detail
