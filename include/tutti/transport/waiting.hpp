// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

/// How a thread waits for another: spin, then yield, then park.
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

/// Where one thread sleeps while nothing arrives. Whoever has something for it calls wake_if_parked().
///
/// The caller of wake_if_parked has just published something with a release store; there is no fence between
/// that store and the load of the flag here, because one would cost every message tens of nanoseconds. So the
/// load may come first and miss a flag that is being raised: the wake-up is lost, and the sleeper finds the
/// message when its time-out ends, a millisecond later at most. That can only hit a thread that had already
/// waited much longer.
class alignas(cache_line) parking_spot {
public:
    void wake_if_parked() noexcept {
        if (parked_.load(std::memory_order_relaxed)) [[unlikely]]
            wake();
    }

    void wake() noexcept {
        {
            const std::lock_guard lock(mutex_);
            parked_.store(false, std::memory_order_relaxed);
        }
        wakened_.notify_one();
    }

    /// Raises the flag. The owner looks for arrivals once more before it sleeps in park(), so that what came
    /// in just before the flag is not missed.
    void announce() noexcept { parked_.store(true, std::memory_order_relaxed); }

    /// Sleeps until somebody calls wake, but never longer than a millisecond.
    void park() {
        std::unique_lock lock(mutex_);
        wakened_.wait_for(lock, std::chrono::milliseconds(1),
                          [this] { return !parked_.load(std::memory_order_relaxed); });
        parked_.store(false, std::memory_order_relaxed);
    }

private:
    std::atomic<bool> parked_{false};
    // On lines of their own: senders look at the flag for every message, the owner writes the rest.
    alignas(cache_line) std::mutex mutex_;
    std::condition_variable wakened_;
};

/// The ladder of one wait, by the number of fruitless looks so far.
class waiting_ladder {
public:
    /// Spinning only helps when the awaited thread has a core of its own.
    explicit waiting_ladder(std::int32_t threads) noexcept
        : shares_cores_(static_cast<std::uint32_t>(threads) > std::thread::hardware_concurrency()),
          spins_(shares_cores_ ? 0 : spins_alone) {}

    bool shares_cores() const noexcept { return shares_cores_; }

    void wait(std::uint32_t turns, parking_spot& spot) const {
        if (turns < spins_) {
            // The first looks follow each other at full speed: most hand-overs end here, and a pause
            // instruction takes as long as a cache line needs to cross over.
            if (turns >= eager_looks) relax();
        } else if (turns < spins_ + yields) {
            std::this_thread::yield();
        } else if ((turns - spins_ - yields) % 2 == 0) {
            spot.announce();
        } else {
            spot.park();
        }
    }

private:
    static constexpr std::uint32_t eager_looks = 64;
    static constexpr std::uint32_t spins_alone = 512; // some 20 microseconds
    static constexpr std::uint32_t yields = 8192;     // some milliseconds: parking is for those really late

    bool shares_cores_;
    std::uint32_t spins_;
};

} // namespace tutti::detail
