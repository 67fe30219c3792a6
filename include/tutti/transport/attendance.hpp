// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable> // and durations; <chrono> brings string streams, too
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include <tutti/transport/concept.hpp>

/// Who looks after the traffic of a rank: its own thread, or, while that is elsewhere, whoever brings
/// something.
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

/// One word per rank says whether its thread sleeps, and whether others may run its steps. Zero, as in all
/// short exchanges, it costs who delivers a message one look.
///
/// The caller of notify() has just published something with a release store; there is no fence between that
/// store and the load of the word, because one would cost every message tens of nanoseconds. So the load may
/// come first and miss a bit that is being raised. A sleeper then finds the message when its time-out ends, a
/// millisecond later at most; one that has left its steps to others looks once more itself after it has said
/// so, and again when it comes back. Nothing is lost but time, and only where both happen within the
/// nanoseconds that a store needs to get out.
class alignas(cache_line) attendance {
public:
    // --- for whoever has brought something ---

    void notify(rank_type from) noexcept {
        const std::uint32_t now = status_.load(std::memory_order_relaxed);
        if (now != 0 && ((now & awaited) == 0 || (now & awaited) == awaiting(from))) [[unlikely]]
            notice();
    }

    /// Runs the steps of ranks that this thread has brought something and that are away, and of those that
    /// these bring something, until there are none.
    static void run_due() noexcept {
        while (first_due != nullptr) [[unlikely]] {
            attendance& next = *first_due;
            first_due = next.next_due_;
            next.status_.fetch_and(~due, std::memory_order_acq_rel);
            next.try_run(left_to::bringers);
        }
    }

    // --- for the owner ---

    /// Raises the flag. The owner looks for arrivals once more before it sleeps in park(), so that what came
    /// in just before the flag is not missed.
    void announce() noexcept { status_.fetch_or(asleep, std::memory_order_relaxed); }

    /// Sleeps until somebody calls wake, but never longer than a millisecond.
    void park() {
        std::unique_lock lock(mutex_);
        wakened_.wait_for(lock, std::chrono::milliseconds(1),
                          [this] { return (status_.load(std::memory_order_relaxed) & asleep) == 0; });
        status_.fetch_and(~asleep, std::memory_order_relaxed);
    }

    void wake() noexcept {
        {
            const std::lock_guard lock(mutex_);
            status_.fetch_and(~asleep, std::memory_order_relaxed);
        }
        wakened_.notify_one();
    }

    /// What others may run while the owner is away; not to be changed then.
    void add(errand& one) { errands_.push_back(&one); }
    void remove(errand& one) noexcept { errands_.erase(std::find(errands_.begin(), errands_.end(), &one)); }
    /// Whether others gain anything by running them now.
    bool can_serve_others() const noexcept {
        return std::any_of(errands_.begin(), errands_.end(),
                           [](const errand* one) { return !one->over() && one->serves_others(); });
    }

    /// From now on until come_back() others may run the errands, and nobody else touches what they need.
    void leave(left_to whom) noexcept { status_.fetch_or(open_to(whom), std::memory_order_acq_rel); }
    /// The same, for bringers, by an owner that waits and will soon look itself: whoever is not the one that
    /// is awaited need not care.
    void leave_for_a_moment() noexcept {
        status_.fetch_or(open_to_bringers | awaited_now(), std::memory_order_acq_rel);
    }

    void come_back() noexcept {
        std::uint32_t now = status_.load(std::memory_order_relaxed);
        for (int looks = 0;;) {
            if ((now & taken) != 0) { // somebody is at it
                if (++looks < 100)
                    relax();
                else
                    std::this_thread::yield();
                now = status_.load(std::memory_order_relaxed);
            } else if (status_.compare_exchange_weak(
                           now, now & ~(open_to_bringers | open_to_thread | again | awaited),
                           std::memory_order_acquire, std::memory_order_relaxed)) {
                return;
            }
        }
    }

    // --- for those who help ---

    /// Runs the errands if they are left to `whom`, and nobody else is at it; false if nothing moved.
    bool try_run(left_to whom) noexcept {
        std::uint32_t now = status_.load(std::memory_order_relaxed);
        do {
            if ((now & open_to(whom)) == 0 || (now & taken) != 0) return false;
        } while (!status_.compare_exchange_weak(now, (now & ~(again | awaited)) | taken,
                                                std::memory_order_acquire, std::memory_order_relaxed));
        const bool for_a_moment = (now & awaited) != 0;
        bool moved = false;
        for (;;) {
            bool over = true, some_over = false;
            for (errand* const one : errands_) {
                while (!one->over() && one->run()) moved = true;
                (one->over() ? some_over = true : over = false);
            }
            if (for_a_moment && !can_serve_others()) over = true;
            now = status_.load(std::memory_order_relaxed);
            while ((now & again) == 0) {
                // With nothing left to do, what comes is none of the others' business.
                const std::uint32_t done = over ? taken | open_to_bringers | open_to_thread : taken;
                const std::uint32_t next = for_a_moment && !over ? awaited_now() : 0;
                if (status_.compare_exchange_weak(now, (now & ~done) | next, std::memory_order_release,
                                                  std::memory_order_relaxed)) {
                    if (some_over && (now & asleep) != 0) wake();
                    return moved;
                }
            }
            status_.fetch_and(~again, std::memory_order_acquire);
        }
    }

private:
    static constexpr std::uint32_t asleep = 1;           ///< the owner sleeps, or is about to
    static constexpr std::uint32_t open_to_bringers = 2; ///< the owner is away
    static constexpr std::uint32_t open_to_thread = 4;   ///< the same
    static constexpr std::uint32_t taken = 8;            ///< somebody runs the errands
    static constexpr std::uint32_t again = 16;           ///< something came meanwhile
    static constexpr std::uint32_t due = 32;             ///< in somebody's list
    static constexpr std::uint32_t awaited = ~63U;       ///< the rank that is awaited, + 1; 0: any

    static constexpr std::uint32_t open_to(left_to whom) noexcept {
        return whom == left_to::thread ? open_to_thread : open_to_bringers;
    }

    static constexpr std::uint32_t awaiting(rank_type rank) noexcept {
        return (static_cast<std::uint32_t>(rank) + 1) << 6;
    }
    std::uint32_t awaited_now() const noexcept {
        const errand* open = nullptr;
        for (const errand* const one : errands_) {
            if (one->over()) continue;
            if (open != nullptr) return 0;
            open = one;
        }
        return open != nullptr ? awaiting(open->awaited()) : 0;
    }

    [[gnu::noinline]] void notice() noexcept {
        // A read-modify-write: it comes either before the owner's, who then sees what was brought, or after
        // it.
        std::uint32_t now = status_.fetch_or(0, std::memory_order_acq_rel);
        if ((now & taken) != 0) {
            now = status_.fetch_or(again, std::memory_order_acq_rel);
            if ((now & taken) != 0) return;
        }
        if ((now & open_to_bringers) != 0) {
            if ((status_.fetch_or(due, std::memory_order_acq_rel) & due) != 0) return;
            next_due_ = nullptr;
            (first_due == nullptr ? first_due : last_due->next_due_) = this;
            last_due = this;
        } else if ((now & asleep) != 0) {
            wake();
        }
    }

    static inline thread_local constinit attendance* first_due = nullptr;
    static inline thread_local constinit attendance* last_due = nullptr;

    std::atomic<std::uint32_t> status_{0};
    // On lines of their own: who brings something looks at the word for every message, the owner writes the
    // rest.
    alignas(cache_line) attendance* next_due_ = nullptr; // of whoever has it in its list
    std::vector<errand*> errands_;
    std::mutex mutex_;
    std::condition_variable wakened_;
};

} // namespace tutti::detail
