// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread> // and durations; <chrono> brings string streams, too

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/mailbox_transport.hpp>
#include <tutti/transport/mailbox_world.hpp>

namespace tutti::threads {

/// The endpoint of one rank that is a thread of this process.
using transport = mailbox_transport;

/// What the threads of one group of ranks share.
class world final : public mailbox_world {
public:
    [[gnu::cold]] explicit world(rank_type size);
    ~world() override;

    /// All ranks are there (again).
    void begin() noexcept {
        for (rank_type r = 0; r < size(); ++r) shared(r).left.store(0, std::memory_order_relaxed);
    }

private:
    std::atomic<detail::mailbox*>& box(rank_type from, rank_type to) noexcept {
        return boxes_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size())
                      + static_cast<std::size_t>(to)];
    }
    detail::mailbox* open(rank_type from, rank_type to) override;
    detail::mailbox* find(rank_type from, rank_type to) noexcept override {
        return box(from, to).load(std::memory_order_acquire);
    }

    /// Starts the thread that runs what ranks leave to it, if there is none yet. It ends with the world.
    void start_thread() override;
    void help() noexcept;

    std::unique_ptr<detail::shared_rank[]> ranks_;
    detail::shared_news news_;
    // One per ordered pair that has ever talked: most algorithms use few of them.
    std::unique_ptr<std::atomic<detail::mailbox*>[]> boxes_;

    std::atomic<bool> has_thread_{false};
    std::atomic<bool> ends_{false};
    std::mutex mutex_;
    std::thread thread_;
};

#if TUTTI_BODIES
TUTTI_BODY world::world(rank_type size) : mailbox_world(size) {
    const auto p = static_cast<std::size_t>(size);
    ranks_ = std::make_unique<detail::shared_rank[]>(p);
    boxes_ = std::make_unique<std::atomic<detail::mailbox*>[]>(p * p);
    mailbox_world::begin(ranks_.get(), &news_);
    for (rank_type r = 0; r < size; ++r) mailbox_world::begin(r, true);
}

TUTTI_BODY world::~world() {
    ends_.store(true, std::memory_order_release);
    if (thread_.joinable()) thread_.join();
    for (rank_type from = 0; from < size(); ++from)
        for (rank_type to = 0; to < size(); ++to) delete find(from, to);
}

TUTTI_BODY detail::mailbox* world::open(rank_type from, rank_type to) {
    auto made = std::make_unique<detail::mailbox>();
    box(from, to).store(made.get(), std::memory_order_release);
    return made.release();
}

TUTTI_BODY void world::start_thread() {
    if (has_thread_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (thread_.joinable()) return;
    thread_ = std::thread([this] { help(); });
    has_thread_.store(true, std::memory_order_release);
}

/// Looks all the time while something moves, and a few thousand times a second else.
TUTTI_BODY void world::help() noexcept {
    constexpr int eager_looks = 100;
    for (int fruitless = 0; !ends_.load(std::memory_order_acquire);) {
        bool moved = false;
        for (rank_type r = 0; r < size(); ++r)
            if (own(r).spot.try_run(left_to::thread)) moved = true;
        detail::attendance::run_due();
        fruitless = moved ? 0 : fruitless + 1;
        if (fruitless < eager_looks)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}
#endif

} // namespace tutti::threads
