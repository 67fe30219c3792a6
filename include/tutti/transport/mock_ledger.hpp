// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include <tutti/core/error.hpp>
#include <tutti/transport/mock_decisions.hpp>
#include <tutti/transport/mock_network.hpp>

namespace tutti::mock {

/// What a rank has started and seen completed, in whatever order: sums of what each is scrambled to.
class tally {
public:
    /// Numbers the operation, and counts it with the bytes it sends.
    void start(operation& op) {
        const std::uint64_t kind =
            (static_cast<std::uint64_t>(op.peer) << 1 | (op.sends ? 1U : 0U)) << 32 | op.channel;
        op.number = static_cast<std::int64_t>(counts_[kind]++);
        std::uint64_t hash = identity(op);
        for (const std::span<const std::byte> piece : op.from)
            for (const std::byte b : piece) hash = scrambled(hash + static_cast<std::uint64_t>(b) + 1);
        started_ += hash;
        op.before = completed_;
    }
    /// Counts an operation that the rank has seen completed; its number has to be known by start().
    void complete(const operation& op) { completed_ += identity(op); }

    /// Equal sums: the same was started and sent, but for one chance in 2^64; 0 at first.
    std::uint64_t started() const noexcept { return started_; }
    /// Likewise of what was seen completed, of which bytes do not count.
    std::uint64_t completed() const noexcept { return completed_; }
    /// An operation that is open, and how it stands.
    static std::uint64_t standing(const operation& op) noexcept {
        return scrambled(identity(op) + (op.known ? 4 : 0) + static_cast<std::uint64_t>(op.state));
    }

private:
    static std::uint64_t identity(const operation& op) noexcept {
        std::uint64_t hash = op.sends ? 1 : 2;
        for (const std::int64_t part : {std::int64_t{op.peer}, std::int64_t{op.channel}, op.number})
            hash = scrambled(hash) + static_cast<std::uint64_t>(part);
        hash = scrambled(hash);
        return hash;
    }

    std::unordered_map<std::uint64_t, std::uint64_t> counts_; // of each kind, peer and channel
    std::uint64_t started_ = 0;
    std::uint64_t completed_ = 0;
};

/// Looks, over many runs, whether what a rank has started by the time it waits is a function of what it has
/// seen completed: the same operations, the same bytes, in whatever order it has seen them.
class ledger {
public:
    /// `rank` waits. Objects if it had started something else when it had seen the same before, in this run
    /// or another.
    void enter(rank_type rank, const tally& so_far) {
        const std::uint64_t seen = so_far.completed() + scrambled(static_cast<std::uint64_t>(rank) + 1);
        const std::uint64_t started = so_far.started();
        if (known_.emplace(seen, started).first->second != started)
            object(detail::sentence({"rank ", rank,
                                     " starts or sends something else when it sees the same in "
                                     "another order"}));
    }
    /// Notes why it is no function of it; of several reasons the first is kept.
    void object(const std::string& why) {
        if (objection_.empty()) objection_ = why;
    }
    /// Why not; empty if it is one.
    const std::string& objection() const noexcept { return objection_; }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> known_; // by what was seen, and by whom
    std::string objection_;
};

} // namespace tutti::mock
