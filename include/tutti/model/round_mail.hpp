// SPDX-License-Identifier: BSL-1.0
#pragma once

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
    };
    /// A receive or a local step.
    struct task {
        rank_type rank = 0;
        rank_type peer = no_rank;
        std::int64_t bytes = 0; // of a local step
        index message = none;
        step_kind kind = step_kind::recv;
    };

    explicit round_mail(rank_type size) : boxes_(static_cast<std::size_t>(size)) {}

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
        message_facts whole;
        all.emit(r, i, [&](const step& s) {
            const std::int64_t n = bytes(s.blocks);
            if (s.kind == step_kind::send) {
                whole.bytes += n;
                whole.blocks += s.blocks.count;
                if (s.continues()) return;
                messages_.push_back({.facts = whole, .from = r, .to = s.peer});
                whole = {};
                box(r).sent = now_;
            } else if (s.is_local()) {
                tasks_.push_back({.rank = r, .bytes = n, .kind = s.kind});
            } else if (!s.continues()) {
                tasks_.push_back({.rank = r, .peer = s.peer, .kind = s.kind});
                box(r).received = now_;
                ++receives_;
            }
        });
    }

    /// Gives every receive the first message from its peer that no other receive of its rank has got. Throws
    /// argument_error if a receive has none or a message is left over.
    void match(round_index i) {
        for (index m = 0; m < messages_.size(); ++m) {
            inbox& to = box(messages_[m].to);
            if (to.filled != now_)
                to = {.first = m, .last = m, .filled = now_, .sent = to.sent, .received = to.received};
            else
                to.last = messages_[to.last].next = m;
        }
        if (receives_ != messages_.size()) refuse(i);
        for (task& t : tasks_) {
            if (t.peer == no_rank) continue;
            t.message = take(t.rank, t.peer);
            if (t.message == none) refuse(i);
            settle(t);
        }
    }

    /// The same if all ranks do what one does: its k-th receive gets what others send as their k-th message.
    void match_alike(round_index i) {
        if (receives_ != messages_.size()) refuse(i);
        index m = 0;
        for (task& t : tasks_) {
            if (t.peer == no_rank) continue;
            t.message = m++;
            messages_[t.message].facts.folded = t.kind == step_kind::recv_reduce;
            messages_[t.message].facts.both_ways = true;
        }
    }

private:
    /// Of a rank: its messages of round `filled`, and when it last sent and received.
    struct inbox {
        index first = none;
        index last = none;
        std::uint64_t filled = 0;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
    };

    inbox& box(rank_type r) noexcept { return boxes_[static_cast<std::size_t>(r)]; }

    index take(rank_type rank, rank_type peer) noexcept {
        inbox& mine = box(rank);
        if (mine.filled != now_) return none;
        for (index before = none, m = mine.first; m != none; before = m, m = messages_[m].next) {
            if (messages_[m].from != peer) continue;
            (before == none ? mine.first : messages_[before].next) = messages_[m].next;
            return m;
        }
        return none;
    }

    void settle(const task& t) noexcept {
        envelope& m = messages_[t.message];
        m.facts.folded = t.kind == step_kind::recv_reduce;
        m.facts.both_ways = box(m.from).received == now_ || box(m.to).sent == now_;
    }

    [[noreturn]] static void refuse(round_index i) {
        throw argument_error("schedule", "sends and receives of round " + std::to_string(i) + " that differ",
                             "a message for every receive of its round");
    }

    std::vector<envelope> messages_;
    std::vector<task> tasks_;
    std::size_t receives_ = 0;
    std::vector<inbox> boxes_; // by rank
    std::uint64_t now_ = 0;    // number of the round, from 1
};

} // namespace tutti::detail
