// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include <tutti/transport/concept.hpp>
#include <tutti/transport/doorbell.hpp>

/// Who looks after the traffic of a rank: its own thread, or, while that is elsewhere, whoever brings
/// something.
namespace tutti::detail {

/// The steps that one rank leaves to other threads of its process while it is away, at its doorbell.
class attendance {
public:
    /// Before anything else. `peers_help`: those that ring are threads of this process. Others do not say
    /// who runs the steps of this rank: a broken one could have it wait for ever, or two threads run them.
    void begin(doorbell& bell, bool peers_help) noexcept {
        bell_ = &bell;
        status_ = peers_help ? &bell.status : &own_status_;
    }

    // --- for whoever has brought something ---

    /// The owner of this doorbell is to be told: wakes it, or takes note of what is to be run. Without
    /// `helped`, the owner is a rank of another process.
    [[gnu::noinline]] static void notice(doorbell& bell, attendance* helped) noexcept {
        // A read-modify-write: it comes either before the owner's, who then sees what was brought, or after
        // it.
        std::uint32_t now = bell.status.fetch_or(0, std::memory_order_acq_rel);
        if (helped != nullptr) {
            if ((now & doorbell::taken) != 0) {
                now = bell.status.fetch_or(doorbell::again, std::memory_order_acq_rel);
                if ((now & doorbell::taken) != 0) return;
            }
            if ((now & doorbell::open_to_bringers) != 0) return helped->note();
        }
        if ((now & doorbell::asleep) != 0) bell.wake();
    }

    /// Runs the steps of ranks that this thread has brought something and that are away, and of those that
    /// these bring something, until there are none.
    static void run_due() noexcept {
        while (first_due != nullptr) [[unlikely]] {
            attendance& next = *first_due;
            first_due = next.next_due_;
            next.status().fetch_and(~doorbell::due, std::memory_order_acq_rel);
            next.try_run(left_to::bringers);
        }
    }

    // --- for the owner ---

    /// What others may run while the owner is away; not to be changed then.
    void add(errand& one) noexcept {
        errand** place = &errands_;
        while (*place != nullptr) place = &(*place)->next_;
        *place = &one;
        one.next_ = nullptr;
    }
    void remove(errand& one) noexcept {
        errand** place = &errands_;
        while (*place != &one) place = &(*place)->next_;
        *place = one.next_;
    }
    /// Whether others gain anything by running them now.
    bool can_serve_others() const noexcept {
        for (const errand* one = errands_; one != nullptr; one = one->next_)
            if (!one->over() && one->serves_others()) return true;
        return false;
    }

    /// From now on until come_back() others may run the errands, and nobody else touches what they need.
    void leave(left_to whom) noexcept { status().fetch_or(open_to(whom), std::memory_order_acq_rel); }
    /// The same, for bringers, by an owner that waits and will soon look itself: whoever is not the one that
    /// is awaited need not care.
    void leave_for_a_moment() noexcept {
        status().fetch_or(doorbell::open_to_bringers | awaited_now(), std::memory_order_acq_rel);
    }

    void come_back() noexcept {
        std::uint32_t now = status().load(std::memory_order_relaxed);
        for (int looks = 0;;) {
            if ((now & doorbell::taken) != 0) { // somebody is at it
                if (++looks < 100)
                    relax();
                else
                    std::this_thread::yield();
                now = status().load(std::memory_order_relaxed);
            } else if (status().compare_exchange_weak(
                           now, now & ~(open_to_any | doorbell::again | doorbell::awaited),
                           std::memory_order_acquire, std::memory_order_relaxed)) {
                return;
            }
        }
    }

    // --- for those who help ---

    /// Runs the errands if they are left to `whom`, and nobody else is at it; false if nothing moved.
    bool try_run(left_to whom) noexcept {
        std::uint32_t now = status().load(std::memory_order_relaxed);
        do {
            if ((now & open_to(whom)) == 0 || (now & doorbell::taken) != 0) return false;
        } while (!status().compare_exchange_weak(
            now, (now & ~(doorbell::again | doorbell::awaited)) | doorbell::taken, std::memory_order_acquire,
            std::memory_order_relaxed));
        const bool for_a_moment = (now & doorbell::awaited) != 0;
        bool moved = false;
        for (;;) {
            bool over = true, some_over = false;
            for (errand* one = errands_; one != nullptr; one = one->next_) {
                while (!one->over() && one->run()) moved = true;
                (one->over() ? some_over = true : over = false);
            }
            if (for_a_moment && !can_serve_others()) over = true;
            now = status().load(std::memory_order_relaxed);
            while ((now & doorbell::again) == 0) {
                // With nothing left to do, what comes is none of the others' business.
                const std::uint32_t done = over ? doorbell::taken | open_to_any : doorbell::taken;
                const std::uint32_t next = for_a_moment && !over ? awaited_now() : 0;
                if (status().compare_exchange_weak(now, (now & ~done) | next, std::memory_order_release,
                                                   std::memory_order_relaxed)) {
                    // It sleeps at its bell, wherever its steps are noted.
                    if (some_over && (bell_->status.load(std::memory_order_relaxed) & doorbell::asleep) != 0)
                        bell_->wake();
                    return moved;
                }
            }
            status().fetch_and(~doorbell::again, std::memory_order_acquire);
        }
    }

private:
    static constexpr std::uint32_t open_to_any = doorbell::open_to_bringers | doorbell::open_to_thread;

    static constexpr std::uint32_t open_to(left_to whom) noexcept {
        return whom == left_to::thread ? doorbell::open_to_thread : doorbell::open_to_bringers;
    }

    std::atomic<std::uint32_t>& status() noexcept { return *status_; }

    std::uint32_t awaited_now() const noexcept {
        const errand* open = nullptr;
        for (const errand* one = errands_; one != nullptr; one = one->next_) {
            if (one->over()) continue;
            if (open != nullptr) return 0;
            open = one;
        }
        return open != nullptr ? doorbell::awaiting(open->awaited()) : 0;
    }

    void note() noexcept {
        if ((status().fetch_or(doorbell::due, std::memory_order_acq_rel) & doorbell::due) != 0) return;
        next_due_ = nullptr;
        (first_due == nullptr ? first_due : last_due->next_due_) = this;
        last_due = this;
    }

    static inline thread_local constinit attendance* first_due = nullptr;
    static inline thread_local constinit attendance* last_due = nullptr;

    doorbell* bell_ = nullptr;
    std::atomic<std::uint32_t>* status_ = nullptr;
    std::atomic<std::uint32_t> own_status_{0};
    alignas(cache_line) attendance* next_due_ = nullptr; // of whoever has it in its list
    errand* errands_ = nullptr;                          // the first one
};

} // namespace tutti::detail
