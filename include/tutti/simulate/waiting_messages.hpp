// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/simulate/event.hpp>

namespace tutti::detail {

/// The messages that found a host busy. By the rules each is put back until the host is free, again and
/// again: p - 1 messages to a root would be put back p^2 / 2 times. It is enough that the one with the lowest
/// order is: none of the others can be taken before it, and all would be put back to the same times as it is.
class waiting_messages {
public:
    /// Whether `e`, which came just now, is to be put back by itself: it is the first, or goes before the one
    /// that is. Otherwise it waits here.
    bool represents(const event& e) {
        if (in_front_ == 0 || e.order() < front_order_) {
            ++in_front_;
            front_order_ = e.order();
            return true;
        }
        behind_.push_back(e);
        std::push_heap(behind_.begin(), behind_.end(), later);
        return false;
    }

    /// One that was put back by itself has been taken. Moves the next one to `e`, to be put back from now on;
    /// false if there is none here.
    bool next(event& e) {
        --in_front_;
        if (behind_.empty()) {
            front_order_ = ~std::uint64_t{0}; // which of those in front is the lowest is not known
            return false;
        }
        std::pop_heap(behind_.begin(), behind_.end(), later);
        e = behind_.back();
        behind_.pop_back();
        ++in_front_;
        front_order_ = e.order();
        return true;
    }

private:
    static bool later(const event& a, const event& b) noexcept { return a.order() > b.order(); }

    std::vector<event> behind_{};   // all of higher orders than one of those in front; a heap
    std::uint64_t front_order_ = 0; // not below the lowest of those in front
    std::int64_t in_front_ = 0;     // in the queue of events
};

} // namespace tutti::detail
