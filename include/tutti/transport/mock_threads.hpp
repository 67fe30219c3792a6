// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>

namespace tutti::mock {

/// The threads of all ranks but 0, which is the caller's. They are kept from one run to the next: to start
/// them takes longer than most runs.
class rank_threads {
public:
    explicit rank_threads(rank_type size) : size_(size) {}
    rank_threads(const rank_threads&) = delete;
    rank_threads& operator=(const rank_threads&) = delete;
    ~rank_threads();

    rank_type size() const noexcept { return size_; }

    /// Has body(rank) called, which does not throw, for ranks 1.., each by its thread; `body` stays until
    /// wait(). Throws std::system_error if a thread cannot be started; then none is called.
    template <class Body>
    void start(Body& body) {
        start([](void* it, rank_type rank) { (*static_cast<Body*>(it))(rank); }, &body);
    }
    /// Until all of them have returned.
    void wait();

private:
    using call = void (*)(void* body, rank_type);

    void start(call how, void* body);
    void work(rank_type rank);

    rank_type size_;
    std::mutex mutex_;
    std::condition_variable begun_, ended_;
    call call_ = nullptr;
    void* body_ = nullptr;
    std::uint64_t run_ = 0; // its number
    std::size_t running_ = 0;
    bool is_over_ = false;
    std::vector<std::thread> threads_; // last: they use the others
};

#if TUTTI_BODIES
TUTTI_BODY rank_threads::~rank_threads() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    begun_.notify_all();
    for (std::thread& one : threads_) one.join();
}

TUTTI_BODY void rank_threads::start(call how, void* body) {
    threads_.reserve(static_cast<std::size_t>(size_));
    for (auto next = static_cast<rank_type>(threads_.size() + 1); next < size_; ++next)
        threads_.emplace_back([this, next] { work(next); });
    {
        const std::lock_guard lock(mutex_);
        call_ = how;
        body_ = body;
        running_ = threads_.size();
        ++run_;
    }
    begun_.notify_all();
}

TUTTI_BODY void rank_threads::wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
}

TUTTI_BODY void rank_threads::work(rank_type rank) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t done = 0;; done = run_) {
        begun_.wait(lock, [&] { return run_ != done || is_over_; });
        if (is_over_) return;
        lock.unlock();
        call_(body_, rank);
        lock.lock();
        if (--running_ == 0) ended_.notify_one();
    }
}
#endif

} // namespace tutti::mock
