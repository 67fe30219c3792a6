// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/linked_list.hpp>
#include <tutti/execute/in_flight.hpp>

namespace tutti {

/// A collective that was started and is not over: of `iallreduce` and its like, and of `plan::start`. Any
/// number may be in flight on a communicator, started in the same order on all ranks, and ended in any order.
/// Buffers belong to the collective until then. It is used by the thread that started it, which is its rank.
///
/// One that is destroyed before it is over is given up: this rank takes part no more, and all that wait for
/// it get a collective_error.
class [[nodiscard]] request {
public:
    /// Over.
    request() = default;
    /// For who starts collectives.
    explicit request(detail::in_flight& what) noexcept : what_(&what) {}
    /// The other one is over then.
    request(request&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
    /// What this one was is given up, if it is not over.
    request& operator=(request&& other) noexcept {
        request old(std::move(*this)); // which is given up if it is not over
        what_ = std::exchange(other.what_, nullptr);
        return *this;
    }
    ~request() {
        if (what_ != nullptr) what_->give_up();
    }

    /// Whether it is over; moves what can move, and never blocks. True from then on. Throws collective_error
    /// if it failed.
    bool test() {
        if (what_ == nullptr) return true;
        if (!detail::progress_all() && !what_->over()) what_->yield();
        if (!what_->over()) {
            detail::leave_all();
            return false;
        }
        land();
        return true;
    }

    /// Blocks until it is over; all others that this thread has started move, too. Throws collective_error if
    /// it failed.
    void wait() {
        if (what_ == nullptr) return;
        detail::complete(*what_);
        land();
    }

    /// Whether wait() would return at once. Moves nothing.
    bool ready() const noexcept { return what_ == nullptr || what_->over(); }

    /// For who waits for this one by calls of its own. Nothing if over().
    void idle(std::uint32_t turns) noexcept {
        if (what_ != nullptr) what_->idle(turns);
    }
    /// Likewise, where nothing is waited for.
    void yield() noexcept {
        if (what_ != nullptr) what_->yield();
    }

    /// Whether there is nothing to wait for (any more): it was never started, or waited for.
    bool over() const noexcept { return what_ == nullptr; }

private:
    friend std::size_t wait_any(std::span<request> some);

    void land() {
        std::exchange(what_, nullptr)->land();
        detail::leave_all();
    }

    detail::in_flight* what_ = nullptr;
};

/// Waits for all; if some fail, throws what the first of them threw, after all are over.
inline void wait_all(std::span<request> all) {
    std::exception_ptr failure;
    for (request& one : all) {
        try {
            one.wait();
        } catch (...) {
            if (failure == nullptr) failure = std::current_exception();
        }
    }
    if (failure != nullptr) std::rethrow_exception(failure);
}

/// Waits for all of them, in this order.
template <class... Requests>
void wait_all(request& first, Requests&... others) {
    request all[]{std::move(first), std::move(others)...};
    wait_all(std::span<request>(all));
}

/// Waits until one that was not over is, and says which; some.size() if none is left.
inline std::size_t wait_any(std::span<request> some) {
    for (std::uint32_t turns = 0;;) {
        request* open = nullptr;
        const bool moved = progress();
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (some[i].over()) continue;
            if (some[i].what_->over()) {
                some[i].wait();
                return i;
            }
            open = &some[i];
        }
        if (open == nullptr) return some.size();
        if (moved)
            turns = 0;
        else
            open->idle(turns++);
    }
}

/// Waits as wait_any, and tells of all that are over by then.
inline std::vector<std::size_t> wait_some(std::span<request> some) {
    std::vector<std::size_t> which{wait_any(some)};
    if (which.front() == some.size()) return {};
    for (std::size_t i = 0; i < some.size(); ++i)
        if (!some[i].over() && some[i].test()) which.push_back(i);
    return which;
}

namespace detail {

/// One that its rank has left, see bypass_reduce.
struct left_request {
    request what{};
    left_request* next = nullptr;
};

/// Forgets those that are over, and waits for the oldest ones until at most so many are left. Throws as
/// wait_all.
void wait_for_left(linked_list<left_request>& left, std::size_t most);

#if TUTTI_BODIES
TUTTI_BODY void wait_for_left(linked_list<left_request>& left, std::size_t most) {
    std::exception_ptr failure;
    const auto end = [&](left_request& one) {
        request what = std::move(one.what);
        left.remove(one);
        try {
            what.wait();
        } catch (...) {
            if (failure == nullptr) failure = std::current_exception();
        }
    };
    std::size_t open = 0;
    for (left_request *one = left.first(), *next = nullptr; one != nullptr; one = next) {
        next = one->next;
        if (one->what.ready())
            end(*one);
        else
            ++open;
    }
    for (; open > most; --open) end(*left.first());
    if (failure != nullptr) std::rethrow_exception(failure);
}
#endif

} // namespace detail

} // namespace tutti
