// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>

#if TUTTI_BODIES
#if defined(__linux__)
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <thread>
#endif
#endif

/// How one rank gets the attention of another, thread or process: by a word that both see.
namespace tutti::detail {

/// Bytes that travel together between cores. Fields that different threads write are kept this far apart.
inline constexpr std::size_t cache_line = 64;

/// Tells the core that this is a spin loop: it saves power, and leaving the loop costs no pipeline flush.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ __volatile__("yield");
#endif
}

/// Fetches a line that is about to be written, so that the write need not wait until other cores have let go
/// of it.
inline void expect_write(const void* line) noexcept {
#if defined(__x86_64__)
    // What the compiler makes of a prefetch for writing, unless told of the processor, fetches for reading.
    __asm__ __volatile__("prefetchw %0" ::"m"(*static_cast<const char*>(line)));
#elif defined(__GNUC__)
    __builtin_prefetch(line, 1);
#endif
}
/// All lines of so many bytes, which begin with a line.
inline void expect_write(const std::byte* lines, std::size_t bytes) noexcept {
    for (std::size_t at = 0; at < bytes; at += cache_line) expect_write(lines + at);
}

/// Sleeps while a word is `value`, but never longer than a millisecond, and perhaps not at all.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept;
/// Ends the sleep of whoever sleeps on that word, in whatever process.
void wake_sleepers(const std::atomic<std::uint32_t>& word) noexcept;

/// One word per rank says whether it sleeps, and whether others may run its steps. Zero, as in all short
/// exchanges, it costs who delivers a message one look. Memory full of zeros is one that nobody has rung.
///
/// Whoever asks heeds() has just published something with a release store; there is no fence between that
/// store and the load of the word, because one would cost every message tens of nanoseconds. So the load may
/// come first and miss a bit that is being raised. A sleeper then finds the message when its time-out ends, a
/// millisecond later at most; one that has left its steps to others looks once more itself after it has said
/// so, and again when it comes back. Nothing is lost but time, and only where both happen within the
/// nanoseconds that a store needs to get out.
struct alignas(cache_line) doorbell {
    static constexpr std::uint32_t asleep = 1;           ///< the owner sleeps, or is about to
    static constexpr std::uint32_t open_to_bringers = 2; ///< the owner is away
    static constexpr std::uint32_t open_to_thread = 4;   ///< the same
    static constexpr std::uint32_t taken = 8;            ///< somebody runs the owner's steps
    static constexpr std::uint32_t again = 16;           ///< something came meanwhile
    static constexpr std::uint32_t due = 32;             ///< in somebody's list
    static constexpr std::uint32_t awaited = ~63U;       ///< the rank that is awaited, + 1; 0: any

    static constexpr std::uint32_t awaiting(rank_type rank) noexcept {
        return (static_cast<std::uint32_t>(rank) + 1) << 6;
    }

    /// Whether the owner has to be told of what `from` has brought.
    bool heeds(rank_type from) const noexcept {
        const std::uint32_t now = status.load(std::memory_order_relaxed);
        return now != 0 && ((now & awaited) == 0 || (now & awaited) == awaiting(from));
    }

    /// Raises the flag. The owner looks for arrivals once more before it sleeps in park(), so that what came
    /// in just before the flag is not missed.
    void announce() noexcept { status.fetch_or(asleep, std::memory_order_relaxed); }

    /// Sleeps until somebody calls wake, but never longer than a millisecond.
    void park() noexcept {
        const std::uint32_t now = status.load(std::memory_order_relaxed);
        if ((now & asleep) != 0) sleep_while(status, now);
        status.fetch_and(~asleep, std::memory_order_relaxed);
    }

    void wake() noexcept {
        status.fetch_and(~asleep, std::memory_order_release);
        wake_sleepers(status);
    }

    std::atomic<std::uint32_t> status{0};
};

#if TUTTI_BODIES
#if defined(__linux__)
TUTTI_BODY void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
    const timespec most{.tv_sec = 0, .tv_nsec = 1'000'000};
    ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &most, nullptr, 0);
}
TUTTI_BODY void wake_sleepers(const std::atomic<std::uint32_t>& word) noexcept {
    ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}
#else // nothing that sleeps on a word with a time-out is standard: short sleeps, and nobody to wake
TUTTI_BODY void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept {
    for (int naps = 0; naps < 20 && word.load(std::memory_order_relaxed) == value; ++naps)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
}
TUTTI_BODY void wake_sleepers(const std::atomic<std::uint32_t>&) noexcept {}
#endif
#endif

} // namespace tutti::detail
