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

/// On which cores ranks of a group have begun. Memory full of zeros says: on none.
struct core_claims {
    static constexpr std::size_t most = 1024; ///< cores that are looked at
    std::array<std::atomic<bool>, most> begun{};
};

/// Called by each rank of `ranks` as it begins. With a core for each it goes to a free one if the system has
/// put it where another has begun: these would take turns for some 20 ms, until the system notices, at 3 us
/// for what takes 0.1; in a virtual machine of two cores (Linux 6.18) they did in every second group. Ranks
/// that share cores begin in blocks, neighbours on one core: who meets whom across cores is then the same in
/// every run. Where a rank runs from then on is the system's affair again.
///
/// Example: of five ranks on two cores 0,1,2 begin on the first and 3,4 on the second.
[[gnu::cold]] void begin_apart(core_claims& claims, rank_type rank, rank_type ranks) noexcept;

#if TUTTI_BODIES
TUTTI_BODY std::uint32_t usable_cores() noexcept {
#if defined(__linux__)
    cpu_set_t mine;
    if (::sched_getaffinity(0, sizeof mine, &mine) == 0)
        return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&mine)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}

TUTTI_BODY void begin_apart([[maybe_unused]] core_claims& claims, [[maybe_unused]] rank_type rank,
                            [[maybe_unused]] rank_type ranks) noexcept {
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
    const auto go_to = [&](std::size_t core) {
        cpu_set_t there;
        CPU_ZERO(&there);
        CPU_SET(core, &there);
        if (::sched_setaffinity(0, sizeof there, &there) == 0) ::sched_setaffinity(0, sizeof mine, &mine);
    };
    if (static_cast<std::size_t>(ranks) > count) {
        const std::size_t block = static_cast<std::size_t>(rank) * count / static_cast<std::size_t>(ranks);
        if (block != at) go_to(cores[block]);
        return;
    }
    const auto claim = [&](std::size_t core) {
        return !claims.begun[core].exchange(true, std::memory_order_relaxed);
    };
    if (claim(cores[at])) return;
    // From half way round on: the next core, or the one exactly half way, may be the other half of this one.
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t other = cores[(at + count / 2 + i) % count];
        if (!claim(other)) continue;
        go_to(other);
        return;
    }
#endif
}
#endif

} // namespace tutti::detail
