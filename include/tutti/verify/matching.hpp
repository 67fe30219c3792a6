// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/core/step.hpp>
#include <tutti/verify/report.hpp>
#include <tutti/verify/value.hpp>

namespace tutti::detail {

/// A message of the round that a rank is in: a run of steps joined by continues().
struct posted_message {
    std::int32_t first = 0;     ///< its first step in the round
    std::int32_t next = -1;     ///< the next message of the round that waits for the same partner, or -1
    std::uint32_t envelope = 0; ///< where the received values begin in the rank's inbox
    bool waiting = true;        ///< not matched yet
};

/// Where a rank stands: the round it is in, whose steps are all in flight.
struct rank_state {
    round_index round = -1;
    std::vector<step> steps{};
    std::vector<posted_message> messages{};
    std::vector<value_id> inbox{}; // values received in this round, message after message
    std::size_t waiting = 0;       // messages not matched yet

    /// The first step of message m.
    const step& head(std::size_t m) const noexcept {
        return steps[static_cast<std::size_t>(messages[m].first)];
    }

    /// Calls f(step index) for the pieces of message m.
    template <class F>
    void for_each_piece(std::size_t m, F&& f) const {
        auto k = static_cast<std::size_t>(messages[m].first);
        for (; steps[k].continues(); ++k) f(k);
        f(k);
    }

    /// Where step k of rank r stands, in block `b` or else its first one.
    location at(rank_type r, std::size_t k, block_index b = -1) const {
        const step& s = steps[k];
        if (b < 0 && s.blocks.count > 0) b = s.blocks.first;
        return {.rank = r, .round = round, .step = static_cast<std::int64_t>(k), .block = b, .peer = s.peer};
    }
};

/// Sends, or receives, that wait for their partner: a queue per ordered pair of ranks, in posting order. All
/// of a queue belong to one round of the rank that posted them, so the queue is a chain through that round's
/// messages and this table only knows both ends. Open addressing, linear probing.
class waiting_table {
public:
    struct entry {
        std::uint64_t pair = 0; // 0 when free
        std::int32_t head = 0;
        std::int32_t tail = 0;
    };

    waiting_table() : entries_(64) {}

    static std::uint64_t pair_of(rank_type sender, rank_type receiver) noexcept {
        return ((static_cast<std::uint64_t>(sender) << 32) | static_cast<std::uint32_t>(receiver)) + 1;
    }

    /// The messages of `pair` that wait, or null.
    entry* look_up(std::uint64_t pair) noexcept {
        for (std::size_t at = home(pair);; at = after(at)) {
            if (entries_[at].pair == pair) return &entries_[at];
            if (entries_[at].pair == 0) return nullptr;
        }
    }

    /// Adds a pair that look_up did not find.
    void insert(const entry& e) {
        if (3 * (used_ + 1) > 2 * entries_.size()) grow();
        put(e);
        ++used_;
    }

    void erase(entry* gone) noexcept {
        --used_;
        // Close the gap: move up whatever would not be found across it.
        auto gap = static_cast<std::size_t>(gone - entries_.data());
        for (std::size_t at = after(gap); entries_[at].pair != 0; at = after(at)) {
            const std::size_t wish = home(entries_[at].pair);
            if (((at - wish) & mask()) >= ((at - gap) & mask())) {
                entries_[gap] = entries_[at];
                gap = at;
            }
        }
        entries_[gap] = {};
    }

private:
    std::size_t mask() const noexcept { return entries_.size() - 1; }
    std::size_t home(std::uint64_t pair) const noexcept {
        return static_cast<std::size_t>((pair * 0x9e3779b97f4a7c15U) >> 20) & mask();
    }
    std::size_t after(std::size_t at) const noexcept { return (at + 1) & mask(); }

    void put(const entry& e) noexcept {
        std::size_t at = home(e.pair);
        while (entries_[at].pair != 0) at = after(at);
        entries_[at] = e;
    }
    void grow() {
        std::vector<entry> old(entries_.size() * 2);
        old.swap(entries_);
        for (const entry& e : old)
            if (e.pair != 0) put(e);
    }

    std::vector<entry> entries_; // a power of two of them
    std::size_t used_ = 0;
};

} // namespace tutti::detail
