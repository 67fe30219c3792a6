// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/transport/concept.hpp>

namespace tutti::mpi {

/// What a rank waits for, by peer. When it has waited for long, those peers are asked whether they will still
/// send: one that says no had sent all it ever will before it said so.
class awaited_messages {
public:
    explicit awaited_messages(rank_type size) : peers_(static_cast<std::size_t>(size)) {}

    /// A receive has been started; its number.
    std::uint64_t add(rank_type peer, channel_type channel) {
        of(peer).receives.push_back({channel, ++last_number_});
        return last_number_;
    }
    /// Whether the next message of that channel is for that receive: they are in the order of starting.
    bool is_first(rank_type peer, channel_type channel, std::uint64_t number) noexcept {
        for (const receive& one : of(peer).receives)
            if (one.channel == channel) return one.number == number;
        return false;
    }
    /// That receive has its message, or is given up; nothing if it is not there.
    void remove(rank_type peer, std::uint64_t number) noexcept {
        std::erase_if(of(peer).receives, [&](const receive& one) { return one.number == number; });
    }
    /// A message was looked for without a receive, and has not come.
    void look_in_vain(rank_type peer, channel_type channel) {
        std::vector<channel_type>& on = of(peer).looked_at;
        if (std::ranges::find(on, channel) != on.end()) return;
        on.push_back(channel);
        ++looks_in_vain_;
    }
    /// A message of that channel has come.
    void find(rank_type peer, channel_type channel) noexcept {
        if (looks_in_vain_ > 0) looks_in_vain_ -= std::erase(of(peer).looked_at, channel);
    }
    /// Nothing is waited for on that channel any more.
    void close(channel_type channel) noexcept {
        if (looks_in_vain_ == 0) return; // as always, unless a call was given up or others are on their way
        for (waits& on : peers_) looks_in_vain_ -= std::erase(on.looked_at, channel);
    }

    /// A peer has answered that it is through with a channel.
    void hear_passed(rank_type peer, channel_type channel) {
        passed_.push_back({peer, channel, clock::now()});
    }
    /// After each second of waiting calls ask(peer, channel) for those that are waited for. Returns a peer
    /// that is waited for in vain, no_rank if none is known.
    template <class Ask>
    rank_type ask_after_long(bool wait_begins, const Ask& ask) {
        const auto now = clock::now();
        for (const answer& one : passed_)
            if (waits_for(one.from, one.channel) && now - one.since > patience / 2) return one.from;
        if (wait_begins) waiting_since_ = now;
        if (now - waiting_since_ < patience) return no_rank;
        waiting_since_ = now;
        passed_.clear();
        for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
            const waits& on = peers_[peer];
            for (const channel_type one : on.looked_at) ask(static_cast<rank_type>(peer), one);
            if (!on.receives.empty()) ask(static_cast<rank_type>(peer), on.receives.front().channel);
        }
        return no_rank;
    }

    /// Between two questions about what has not come; a peer that has passed gets half of it for what is
    /// still on its way.
    static constexpr std::chrono::milliseconds patience{1000};

private:
    using clock = std::chrono::steady_clock;
    struct receive {
        channel_type channel;
        std::uint64_t number;
    };
    struct waits {
        std::vector<receive> receives;       // whose message has not been seen yet
        std::vector<channel_type> looked_at; // in vain the last time
    };
    struct answer {
        rank_type from;
        channel_type channel;
        clock::time_point since;
    };

    waits& of(rank_type peer) noexcept { return peers_[static_cast<std::size_t>(peer)]; }

    bool waits_for(rank_type peer, channel_type channel) noexcept {
        const waits& on = of(peer);
        return std::ranges::find(on.looked_at, channel) != on.looked_at.end()
               || std::ranges::find(on.receives, channel, &receive::channel) != on.receives.end();
    }

    std::vector<waits> peers_;
    std::size_t looks_in_vain_ = 0; // of all peers
    std::uint64_t last_number_ = 0;
    std::vector<answer> passed_;
    clock::time_point waiting_since_{};
};

} // namespace tutti::mpi
