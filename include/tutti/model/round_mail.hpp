// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/cost.hpp>

namespace tutti::detail {

/// The messages of one round, and what ranks do besides sending, in their order; each receive finds its
/// message. Storage is kept from round to round.
class round_mail {
public:
    using index = std::uint32_t;
    static constexpr index none = ~index{0};

    struct envelope {
        message_facts facts{};
        rank_type from = 0;
        rank_type to = 0;
        index next = none; // to the same rank
        bool taken = false;
    };
    /// A receive or a local step.
    struct task {
        rank_type rank = 0;
        rank_type peer = no_rank;
        std::int64_t bytes = 0; // of a local step
        index message = none;
        step_kind kind = step_kind::recv;
    };

    /// Before the first round of so many ranks.
    void begin(rank_type size) {
        const auto ranks = static_cast<std::size_t>(size);
        ranks_.assign(ranks, {});
        messages_.reserve(ranks); // not grown and copied on the way
        tasks_.reserve(2 * ranks);
        now_ = 0;
    }

    /// By sender and in the order of sending.
    std::vector<envelope>& messages() noexcept { return messages_; }
    /// By rank and in the order listed.
    const std::vector<task>& tasks() const noexcept { return tasks_; }

    void start() {
        messages_.clear();
        tasks_.clear();
        receives_ = 0;
        ++now_;
    }

    /// Adds what rank r does in round i. bytes(block_set): how many there are.
    template <class G, class Bytes>
    void collect(const ensemble<G>& all, rank_type r, round_index i, const Bytes& bytes) {
        collect_as(r, all, r, i, bytes);
    }
    /// ... as if it were rank r that does what `whose` does.
    template <class G, class Bytes>
    void collect_as(rank_type r, const ensemble<G>& all, rank_type whose, round_index i, const Bytes& bytes) {
        message_facts whole;
        all.emit(whose, i, [&](const step& s) {
            if (s.kind == step_kind::send) {
                whole.bytes += bytes(s.blocks);
                whole.blocks += s.blocks.count;
                if (s.continues()) return;
                messages_.push_back({.facts = whole, .from = r, .to = s.peer});
                whole = {};
                of(r).sent = now_;
            } else if (s.is_local()) {
                tasks_.push_back({.rank = r, .bytes = bytes(s.blocks), .kind = s.kind});
            } else if (!s.continues()) {
                tasks_.push_back({.rank = r, .peer = s.peer, .kind = s.kind});
                rank_state& me = of(r);
                me.received = now_;
                if (me.heard == 0) me.heard = now_;
                ++receives_;
            }
        });
    }

    /// Gives every receive the first message from its peer that no other receive of its rank has got. Throws
    /// argument_error if a receive has none or a message is left over.
    void match(round_index i) {
        if (receives_ != messages_.size()) refuse(i);
        for (index m = 0; m < messages_.size(); ++m) {
            queue& to = of(messages_[m].to).in.in_round(now_);
            (to.count++ == 0 ? to.first : messages_[to.last].next) = m;
            to.last = m;
            queue& from = of(messages_[m].from).out.in_round(now_);
            if (from.count++ == 0) from.first = m;
            from.last = m;
        }
        for (task& t : tasks_) {
            if (t.peer == no_rank) continue;
            t.message = take(t.rank, t.peer);
            if (t.message == none) refuse(i);
            settle(t);
        }
    }

    /// After rounds of match_alike: what has happened to rank 0 has happened to all.
    void all_as_rank_0() noexcept { std::fill(ranks_.begin() + 1, ranks_.end(), ranks_.front()); }

    /// Before rounds of match_alike: whatever has happened to one may have happened to rank 0.
    void rank_0_as_any() noexcept {
        for (const rank_state& one : ranks_)
            if (one.heard != 0 && (ranks_.front().heard == 0 || one.heard < ranks_.front().heard))
                ranks_.front().heard = one.heard;
    }

    /// The same if all ranks do what rank 0 does: its k-th receive is given its own k-th message, which
    /// stands for that of the sender.
    void match_alike(round_index i) {
        if (receives_ != messages_.size()) refuse(i);
        index m = 0;
        for (task& t : tasks_) {
            if (t.peer == no_rank) continue;
            t.message = m++;
            settle(t);
        }
    }

private:
    /// Messages from or to a rank in a round.
    struct queue {
        index first = none; // that may not be taken yet
        index last = none;
        index count = 0;
        std::uint64_t round = 0;

        queue& in_round(std::uint64_t now) noexcept {
            if (round != now) *this = {.round = now};
            return *this;
        }
    };
    struct rank_state {
        queue in{};
        queue out{};
        std::uint64_t sent = 0;     // the last round in which it sent
        std::uint64_t received = 0; // the last round in which it received
        std::uint64_t heard = 0;    // the first one
    };

    rank_state& of(rank_type r) noexcept { return ranks_[static_cast<std::size_t>(r)]; }

    /// Looks among those that the sender sends or those that the receiver gets, whichever are fewer: a root
    /// may have one for every rank.
    index take(rank_type rank, rank_type peer) noexcept {
        queue& in = of(rank).in.in_round(now_);
        queue& out = of(peer).out.in_round(now_);
        const bool by_sender = out.count < in.count;
        const index end = by_sender ? out.last + 1 : none;
        queue& fewer = by_sender ? out : in;
        if (fewer.count == 0) return none;
        while (fewer.first != end && messages_[fewer.first].taken)
            fewer.first = by_sender ? fewer.first + 1 : messages_[fewer.first].next;
        for (index m = fewer.first; m != end; m = by_sender ? m + 1 : messages_[m].next) {
            envelope& one = messages_[m];
            if (one.taken || one.from != peer || one.to != rank) continue;
            one.taken = true;
            return m;
        }
        return none;
    }

    void settle(const task& t) noexcept {
        envelope& m = messages_[t.message];
        m.facts.folded = t.kind == step_kind::recv_reduce;
        m.facts.both_ways = of(m.from).received == now_ || of(m.to).sent == now_;
        m.facts.fresh = of(m.from).heard != 0 && of(m.from).heard < now_;
    }

    [[noreturn]] static void refuse(round_index i) {
        throw argument_error("schedule", "sends and receives of round " + std::to_string(i) + " that differ",
                             "a message for every receive of its round");
    }

    std::vector<envelope> messages_;
    std::vector<task> tasks_;
    std::size_t receives_ = 0;
    std::vector<rank_state> ranks_; // by rank
    std::uint64_t now_ = 0;         // number of the round, from 1
};

} // namespace tutti::detail
