// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <thread>
#if defined(__linux__)
#include <sched.h>
#endif
#endif

/// The cores that ranks run on.
namespace tutti::detail {

/// Cores that this process may use, which are often fewer than there are; at least 1.
[[gnu::cold]] std::uint32_t usable_cores() noexcept;

/// How many ranks of a group have begun on each core. Memory full of zeros says: none.
struct core_claims {
    static constexpr std::size_t most = 1024; ///< cores that are looked at
    std::array<std::atomic<std::uint16_t>, most> begun{};
};

/// Called by each of `ranks` ranks as it begins: if the system has put it on a core that has its share of
/// them already, it goes to one that has not; where it runs from then on is the system's affair again. Two
/// ranks that begin on one core take turns for some 20 ms, until the system notices, at 3 us for what takes
/// 0.1; in a virtual machine of two cores (Linux 6.18) they did in every second group.
///
/// Example: of five ranks on two cores three may be on each; the fourth on core 0 goes to core 1.
[[gnu::cold]] void begin_apart(core_claims& claims, rank_type ranks) noexcept;

#if TUTTI_BODIES
TUTTI_BODY std::uint32_t usable_cores() noexcept {
#if defined(__linux__)
    cpu_set_t mine;
    if (::sched_getaffinity(0, sizeof mine, &mine) == 0)
        return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&mine)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}

TUTTI_BODY void begin_apart([[maybe_unused]] core_claims& claims, [[maybe_unused]] rank_type ranks) noexcept {
#if defined(__linux__)
    cpu_set_t mine;
    const int here = ::sched_getcpu();
    if (here < 0 || ::sched_getaffinity(0, sizeof mine, &mine) != 0) return;
    std::array<std::uint16_t, core_claims::most> cores;
    std::size_t count = 0;
    std::size_t at = 0; // of `here` among them
    for (std::size_t core = 0; core < core_claims::most; ++core) {
        if (!CPU_ISSET(core, &mine)) continue;
        if (core == static_cast<std::size_t>(here)) at = count;
        cores[count++] = static_cast<std::uint16_t>(core);
    }
    if (count < 2) return;
    const std::size_t share = (static_cast<std::size_t>(ranks) + count - 1) / count;
    const auto claim = [&](std::size_t core) {
        std::uint16_t begun = claims.begun[core].load(std::memory_order_relaxed);
        while (begun < share)
            if (claims.begun[core].compare_exchange_weak(begun, static_cast<std::uint16_t>(begun + 1),
                                                         std::memory_order_relaxed))
                return true;
        return false;
    };
    if (claim(cores[at])) return;
    // From half way round on: the next core, or the one exactly half way, may be the other half of this one.
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t other = cores[(at + count / 2 + i) % count];
        if (other == static_cast<std::size_t>(here) || !claim(other)) continue;
        cpu_set_t there;
        CPU_ZERO(&there);
        CPU_SET(other, &there);
        if (::sched_setaffinity(0, sizeof there, &there) == 0) ::sched_setaffinity(0, sizeof mine, &mine);
        return;
    }
#endif
}
#endif

} // namespace tutti::detail
