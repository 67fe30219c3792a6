// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include <tutti/core/rank.hpp>

namespace tutti::mock {

/// What ranks that are threads hand on to one another: only its holder runs.
class baton {
public:
    explicit baton(rank_type size) : turn_came_(static_cast<std::size_t>(size)) {}

    /// Takes it out of everybody's hands, before the first has it.
    void lay_down() {
        const std::lock_guard lock(mutex_);
        turn_ = no_rank;
        called_off_ = false;
    }

    /// From `self`, which waits until it is back, unless it has left (or never had it).
    void give(rank_type self, rank_type next, bool comes_back) {
        std::unique_lock lock(mutex_);
        turn_ = next;
        of(next).notify_one();
        if (comes_back) of(self).wait(lock, [&] { return turn_ == self; });
    }

    /// Waits for it for the first time. False if the run was called off.
    bool await(rank_type rank) {
        std::unique_lock lock(mutex_);
        of(rank).wait(lock, [&] { return turn_ == rank || called_off_; });
        return !called_off_;
    }

    /// Nobody who has not had it yet gets it.
    void call_off() {
        const std::lock_guard lock(mutex_);
        called_off_ = true;
        for (std::condition_variable& one : turn_came_) one.notify_one();
    }

private:
    std::condition_variable& of(rank_type rank) { return turn_came_[static_cast<std::size_t>(rank)]; }

    std::mutex mutex_;
    std::vector<std::condition_variable> turn_came_;
    rank_type turn_ = no_rank;
    bool called_off_ = false;
};

} // namespace tutti::mock
