// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread> // and durations; <chrono> brings string streams, too

#include <tutti/core/rank.hpp>
#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/called_off.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/threads_connection.hpp>
#include <tutti/transport/waiting.hpp>

namespace tutti::threads {

class transport;

/// What the threads of one group of ranks share: mailboxes, the places where they sleep, and the news that
/// one of them failed. It keeps all traffic, so that endpoints may come and go between two runs; after a
/// failure it stays failed.
class world {
public:
    [[gnu::cold]] explicit world(rank_type size)
        : size_(checked({.rank = 0, .size = size, .root = 0}).size), ladder_(size) {
        const auto p = static_cast<std::size_t>(size);
        members_ = std::make_unique<member[]>(p);
        boxes_ = std::make_unique<std::atomic<detail::mailbox*>[]>(p * p);
        for (std::size_t r = 0; r < p; ++r) {
            members_[r].connections = std::make_unique<connection[]>(p);
            for (std::size_t peer = 0; peer < p; ++peer) {
                connection& c = members_[r].connections[peer];
                c.peer_spot = &members_[peer].spot;
                c.own_rank = static_cast<rank_type>(r);
                c.may_deepen = shares_cores();
            }
        }
    }
    ~world() {
        stop_thread();
        const auto p = static_cast<std::size_t>(size_);
        for (std::size_t i = 0; i < p * p; ++i) delete boxes_[i].load(std::memory_order_relaxed);
    }
    world(const world&) = delete;
    world& operator=(const world&) = delete;

    rank_type size() const noexcept { return size_; }

    /// Whether there are more ranks than cores.
    bool shares_cores() const noexcept { return ladder_.shares_cores(); }

    /// Messages that fit between two ranks, in the end.
    std::size_t depth() const noexcept {
        return shares_cores() ? detail::depth_of_shared_cores : detail::least_depth;
    }

    /// The endpoint of one rank: for one thread at a time, and one endpoint per rank.
    threads::transport transport(rank_type rank);

    bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }

    /// Why the world failed, for the ranks that suffer from it; only after failed().
    std::string failure() const {
        const std::lock_guard lock(mutex_);
        return failure_;
    }
    rank_type failed_rank() const {
        const std::lock_guard lock(mutex_);
        return failed_rank_;
    }

    /// Tells all ranks that `rank` will not go on: their next idle() throws.
    [[gnu::cold]] void fail(rank_type rank, const std::string& why) {
        {
            const std::lock_guard lock(mutex_);
            if (failed_rank_ == no_rank) {
                failed_rank_ = rank;
                failure_ = why;
            }
        }
        failed_.store(true, std::memory_order_release);
        for (rank_type r = 0; r < size_; ++r) of(r).spot.wake();
    }

    /// Tells all ranks that a call fails, though the world goes on.
    [[gnu::cold]] void call_off(rank_type rank, channel_type channel, const std::string& why) {
        if (!called_off_.add(channel, rank, why)) return;
        for (rank_type r = 0; r < size_; ++r) of(r).spot.wake();
    }
    detail::called_off& called_off() noexcept { return called_off_; }

    /// Bookkeeping of those who run the ranks: between begin() and leave(r), rank r may still send.
    void begin() noexcept {
        for (rank_type r = 0; r < size_; ++r) of(r).left.store(false, std::memory_order_relaxed);
    }
    void leave(rank_type rank) noexcept { of(rank).left.store(true, std::memory_order_release); }
    bool has_left(rank_type rank) const noexcept { return of(rank).left.load(std::memory_order_acquire); }

    /// Whether an exception of this rank is only the consequence of another rank's.
    bool struck(rank_type rank) const noexcept { return of(rank).struck; }

    /// Starts the thread that runs what ranks leave to it, if there is none yet. It ends with the world.
    void start_thread() {
        if (has_thread_.load(std::memory_order_acquire)) return;
        const std::lock_guard lock(mutex_);
        if (thread_.joinable()) return;
        thread_ = std::thread([this] { help(); });
        has_thread_.store(true, std::memory_order_release);
    }

private:
    friend class threads::transport;

    struct member {
        detail::attendance spot;
        std::unique_ptr<connection[]> connections;
        detail::begun_calls calls;
        bool struck = false; // by that rank's thread only
        std::atomic<bool> left{false};
    };

    /// Looks all the time while something moves, and a few thousand times a second else.
    void help() noexcept {
        constexpr int eager_looks = 100;
        for (int fruitless = 0; !ends_.load(std::memory_order_acquire);) {
            bool moved = false;
            for (rank_type r = 0; r < size_; ++r)
                if (of(r).spot.try_run(left_to::thread)) moved = true;
            detail::attendance::run_due();
            fruitless = moved ? 0 : fruitless + 1;
            if (fruitless < eager_looks)
                std::this_thread::yield();
            else
                std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }
    void stop_thread() {
        ends_.store(true, std::memory_order_release);
        if (thread_.joinable()) thread_.join();
    }

    member& of(rank_type rank) noexcept { return members_[static_cast<std::size_t>(rank)]; }
    const member& of(rank_type rank) const noexcept { return members_[static_cast<std::size_t>(rank)]; }

    std::atomic<detail::mailbox*>& box(rank_type from, rank_type to) noexcept {
        return boxes_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size_)
                      + static_cast<std::size_t>(to)];
    }

    rank_type size_;
    detail::waiting_ladder ladder_;
    std::unique_ptr<member[]> members_;
    // One per ordered pair that has ever talked: most algorithms use few of them.
    std::unique_ptr<std::atomic<detail::mailbox*>[]> boxes_;

    alignas(detail::cache_line) std::atomic<bool> failed_{false};
    mutable std::mutex mutex_;
    std::string failure_;
    rank_type failed_rank_ = no_rank;

    std::atomic<bool> has_thread_{false};
    std::atomic<bool> ends_{false};
    std::thread thread_;
    detail::called_off called_off_;
};

} // namespace tutti::threads
