// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>

#include <tutti/transport/concept.hpp>

namespace tutti {

namespace detail {

/// A collective that has been started, whatever its transport: what requests hold, and what moves whenever
/// its rank waits for anything. A rank is a thread here: a collective is moved by the thread that started it,
/// and by others while that is away, if it wants that.
class in_flight : public errand {
public:
    in_flight() = default;
    in_flight(const in_flight&) = delete;
    in_flight& operator=(const in_flight&) = delete;

    /// Moves whatever can move now; false if nothing could. Throws nothing: what goes wrong is kept.
    virtual bool progress() noexcept = 0;
    /// Nothing has moved for so many turns. As progress().
    virtual void idle(std::uint32_t turns) noexcept = 0;
    /// Lets other ranks run where they need that, and waits for nothing.
    virtual void yield() noexcept = 0;

    /// Whether it was called off meanwhile: then it is over, and keeps nobody waiting.
    virtual bool hear() noexcept { return false; }

    /// The rank goes to do something else: from now on others may move it, if the rank wants that.
    virtual void leave() noexcept = 0;

    /// Its part on this rank is over, well or not.
    bool over() const noexcept final { return over_.load(std::memory_order_acquire); }
    /// Takes it out of flight. Throws what went wrong.
    virtual void land() = 0;
    /// Takes it out of flight unfinished: ranks that wait for this one get an error.
    virtual void give_up() noexcept = 0;

protected:
    ~in_flight() { quit(); } // nobody owns one as such

    void join() noexcept {
        before_ = last();
        (before_ == nullptr ? first() : before_->behind_) = this;
        last() = this;
        in_list_ = true;
    }
    void quit() noexcept {
        if (!in_list_) return;
        (before_ == nullptr ? first() : before_->behind_) = behind_;
        (behind_ == nullptr ? last() : behind_->before_) = before_;
        before_ = behind_ = nullptr;
        in_list_ = false;
    }

    std::atomic<bool> over_{false};

private:
    friend bool progress_all(const in_flight* but) noexcept;
    friend void hear_all() noexcept;
    friend void leave_all() noexcept;

    // Those of this thread, in the order of starting.
    static in_flight*& first() noexcept {
        static thread_local in_flight* one = nullptr;
        return one;
    }
    static in_flight*& last() noexcept {
        static thread_local in_flight* one = nullptr;
        return one;
    }

    in_flight* before_ = nullptr;
    in_flight* behind_ = nullptr;
    bool in_list_ = false;
};

/// Moves all that this thread has started, but for one; false if nothing could move.
inline bool progress_all(const in_flight* but = nullptr) noexcept {
    bool moved = false;
    for (in_flight* one = in_flight::first(); one != nullptr; one = one->behind_)
        if (one != but && !one->over() && one->progress()) moved = true;
    return moved;
}

/// Ends those of this thread that were called off.
inline void hear_all() noexcept {
    for (in_flight* one = in_flight::first(); one != nullptr; one = one->behind_) one->hear();
}

/// This thread goes to do something else than calling tutti.
inline void leave_all() noexcept {
    for (in_flight* one = in_flight::first(); one != nullptr; one = one->behind_)
        if (!one->over()) one->leave();
}

/// Blocks until it is over, and moves the others meanwhile.
inline void complete(in_flight& one) noexcept {
    for (std::uint32_t turns = 0; !one.over();) {
        const bool moved = one.progress();
        if (one.over()) break;
        if (progress_all(&one) || moved)
            turns = 0;
        else
            one.idle(turns++);
    }
}

} // namespace detail

/// Moves the collectives that this thread has started and not yet waited for; false if nothing could move.
/// Every other call of tutti does so, too, while it waits: needed only by who computes for long.
inline bool progress() noexcept {
    const bool moved = detail::progress_all();
    detail::leave_all();
    return moved;
}

/// Who moves what a rank has begun and not yet waited for.
enum class progress_mode : std::uint8_t {
    own_calls,  ///< the rank: in all its calls of tutti, tutti::progress() among them
    on_arrival, ///< also whoever delivers a message that it waits for, while the rank is elsewhere
    by_thread,  ///< also a thread of the process that does nothing else
};

} // namespace tutti
