// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/transport/mock_decisions.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

/// Something that can happen next: a rank runs until it waits, or a message is delivered.
struct event {
    rank_type runs = no_rank; ///< no_rank: none does
    /// Whose first message is delivered; to no_rank: none is.
    network::route arrives{.from = no_rank, .to = no_rank, .channel = 0};
    std::size_t number = 0; ///< of the message, among those that can be delivered now

    /// Whether a rank goes on.
    bool is_run() const noexcept { return runs != no_rank; }
    /// Whether a message is delivered; neither: there is nothing to happen.
    bool is_delivery() const noexcept { return arrives.to != no_rank; }
    /// The same rank or route: numbers change as other messages are delivered.
    bool same(const event& other) const noexcept { return runs == other.runs && arrives == other.arrives; }
};

/// Keeps decisions from leading twice to the same: a sleep set (Godefroid 1996).
///
/// Two events that concern different ranks commute: each can happen after the other as well as before, and
/// what comes out is the same. A rank that runs touches its own operations and the far ends of queues; a
/// delivery takes from their near ends and completes an operation of the receiver, and one of the sender if
/// nothing is buffered. So a decision for one event puts those that were to be decided for before it to
/// sleep: "x, then y" has been seen, "y, then x" need not be. A sleeper wakes when something happens that it
/// does not commute with.
///
///     rank 0 waits for messages from 1 and 2, which can both be delivered: a and b. Without sleep there are
///     a, run 0, b, run 0;   a, b, run 0;   b, a, run 0 (as the second: b puts a to sleep);   b, run 0, a,
///     run 0
///
/// What is awake is all that can lead to anything new; where nothing is, the run goes on as it likes and is
/// known to be a repetition.
class sleepers {
public:
    explicit sleepers(bool buffered) : buffered_(buffered) {}

    /// One of `possible`, of which there is at least one.
    event choose(const std::vector<event>& possible, decision_maker& decisions) {
        if (repeats_) return possible.front();
        std::vector<event> awake;
        for (const event& e : possible)
            if (!asleep(e)) awake.push_back(e);
        if (awake.empty()) {
            repeats_ = true;
            return possible.front();
        }
        const std::size_t choice = decisions.choose(awake.size());
        for (std::size_t i = 0; i < choice; ++i) asleep_.push_back(awake[i]);
        return awake[choice];
    }
    /// Wakes whom `e` concerns.
    void happens(const event& e) {
        std::size_t kept = 0;
        for (const event& other : asleep_)
            if (commute(e, other)) asleep_[kept++] = other;
        while (asleep_.size() > kept) asleep_.pop_back();
    }
    /// Something that may concern all.
    void wake_all() { asleep_.clear(); }

    /// Whether all that could happen was asleep once: what comes after has been seen in another run.
    bool repeats() const noexcept { return repeats_; }

private:
    bool asleep(const event& e) const {
        for (const event& other : asleep_)
            if (e.same(other)) return true;
        return false;
    }
    bool commute(const event& a, const event& b) const noexcept {
        if (a.is_run() == b.is_run()) return !a.same(b);
        const rank_type rank = a.is_run() ? a.runs : b.runs;
        const network::route& along = a.is_run() ? b.arrives : a.arrives;
        return rank != along.to && (buffered_ || rank != along.from);
    }

    bool buffered_;
    std::vector<event> asleep_;
    bool repeats_ = false;
};

} // namespace tutti::mock
