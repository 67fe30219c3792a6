// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/step.hpp>
#include <tutti/verify/flow.hpp>
#include <tutti/verify/matching.hpp>
#include <tutti/verify/report.hpp>
#include <tutti/verify/round_check.hpp>
#include <tutti/verify/tally.hpp>

namespace tutti::detail {

/// What is checked or noted once, however many slices the blocks are cut into.
struct first_pass {
    first_pass(rank_type size, block_index blocks, round_index rounds)
        : check(size, blocks), counted(size, rounds) {}

    round_check check;
    tally counted;
    std::optional<finding> moved{}; // the first message that changes the index of a block
};

/// Executes the generators of all ranks round by round without any buffering: all steps of a rank's round are
/// in flight together, a message moves when both its sides have been posted, and a rank goes on when its
/// round is complete. The values of the slice that `held` was started for are followed.
class execution {
public:
    execution(const contract& terms, const std::vector<any_generator>& generators, cells& held,
              first_pass* first)
        : generators_(generators), blocks_(terms.blocks), rounds_(generators.front().rounds()),
          claims_(generators.front().claims()), first_(first), flow_(terms, held, claims_.order_preserving),
          ranks_(generators.size()) {}

    /// Runs to the end, to the first fault or to the point where nothing moves any more.
    void run() {
        for (std::size_t r = 0; r < ranks_.size() && !fault(); ++r)
            enter_next_round(static_cast<rank_type>(r));
        while (!complete_.empty() && !fault()) { // wave after wave, so that nobody runs far ahead
            served_.swap(complete_);
            complete_.clear();
            for (const rank_type r : served_) {
                flow_.land(r, state(r));
                if (fault()) return;
                enter_next_round(r);
                if (fault()) return;
            }
        }
    }

    const std::optional<finding>& fault() const noexcept { return flow_.fault(); }
    bool ended(rank_type r) const noexcept { return state(r).round == rounds_; }
    const rank_state& state(rank_type r) const noexcept { return ranks_[static_cast<std::size_t>(r)]; }
    const value_flow& values() const noexcept { return flow_; }

private:
    rank_state& state(rank_type r) noexcept { return ranks_[static_cast<std::size_t>(r)]; }

    /// Posts all messages of the rank's next round that has steps.
    void enter_next_round(rank_type r) {
        rank_state& me = state(r);
        me.steps.clear();
        me.messages.clear();
        me.inbox.clear();
        emitted_.clear();
        while (emitted_.empty() && ++me.round < rounds_)
            generators_[static_cast<std::size_t>(r)].append(me.round, emitted_);
        if (emitted_.empty()) return;
        me.steps.assign(emitted_.begin(),
                        emitted_.end()); // as much memory as steps: all ranks' are kept at once
        if (first_ != nullptr && !legal(r, me)) return;
        bool goes_on = false;
        for (std::size_t k = 0; k < me.steps.size(); ++k) {
            if (me.steps[k].is_message() && !goes_on)
                me.messages.push_back({.first = static_cast<std::int32_t>(k)});
            goes_on = me.steps[k].continues();
        }
        me.waiting = me.messages.size();
        for (std::size_t m = 0; m < me.messages.size() && !fault(); ++m) post(r, m);
        if (me.waiting == 0) complete_.push_back(r);
    }

    bool legal(rank_type r, const rank_state& me) {
        if (auto found = first_->check(r, me.round, me.steps)) {
            flow_.fail(std::move(*found));
            return false;
        }
        if (first_->check.late_input()) flow_.note_late_input(*first_->check.late_input());
        first_->counted.count(r, me.round, me.steps);
        return true;
    }

    /// Matches a message with the one that waits for it, or lets it wait.
    void post(rank_type r, std::size_t m) {
        rank_state& me = state(r);
        const rank_type peer = me.head(m).peer;
        const bool sends = me.head(m).kind == step_kind::send;
        const auto number = static_cast<std::int32_t>(m);
        const std::uint64_t pair = sends ? waiting_table::pair_of(r, peer) : waiting_table::pair_of(peer, r);
        waiting_table& mine = sends ? waiting_sends_ : waiting_receives_;
        waiting_table& others = sends ? waiting_receives_ : waiting_sends_;
        auto* const partners = others.look_up(pair);
        if (partners == nullptr) {
            if (auto* const queue = mine.look_up(pair)) {
                me.messages[static_cast<std::size_t>(queue->tail)].next = number;
                queue->tail = number;
            } else {
                mine.insert({.pair = pair, .head = number, .tail = number});
            }
            return;
        }
        rank_state& other = state(peer);
        const auto partner = static_cast<std::size_t>(partners->head);
        if (partners->head == partners->tail)
            others.erase(partners);
        else
            partners->head = other.messages[partner].next;
        if (sends)
            transfer(r, m, peer, partner);
        else
            transfer(peer, partner, r, m);
        me.messages[m].waiting = false;
        other.messages[partner].waiting = false;
        --me.waiting;
        if (--other.waiting == 0) complete_.push_back(peer);
    }

    void transfer(rank_type sender, std::size_t sent, rank_type receiver, std::size_t received) {
        if (first_ == nullptr || alike(sender, sent, receiver, received))
            flow_.transfer(sender, state(sender), sent, receiver, state(receiver), received);
    }

    /// Whether both sides name as many blocks, and the same ones unless blocks may move.
    bool alike(rank_type sender, std::size_t sent, rank_type receiver, std::size_t received) {
        const rank_state& from = state(sender);
        const rank_state& to = state(receiver);
        const step& s = from.head(sent);
        const step& r = to.head(received);
        if (!s.continues() && !r.continues() && s.blocks == r.blocks) return true;
        // Of an alltoall nearly every message is one: no need for lists once it is known that blocks move.
        if (first_->moved && count_of(from, sent) == count_of(to, received)) return true;
        const std::vector<block_index> there = blocks_of(from, sent);
        const std::vector<block_index> here = blocks_of(to, received);
        location at = to.at(receiver, static_cast<std::size_t>(to.messages[received].first));
        const std::string other = "the sender (rank " + std::to_string(sender) + ", round "
                                  + std::to_string(from.round) + ", step "
                                  + std::to_string(from.messages[sent].first) + ") sends ";
        if (there.size() != here.size()) {
            flow_.fail(find(at, "wrong length: receives " + std::to_string(here.size()) + " blocks, but "
                                    + other + std::to_string(there.size())));
            return false;
        }
        if (there == here) return true;
        const auto i = std::mismatch(there.begin(), there.end(), here.begin()).first - there.begin();
        at.block = here[static_cast<std::size_t>(i)];
        first_->moved = find(at, "the message changes the index of a block: " + other + "block "
                                     + std::to_string(there[static_cast<std::size_t>(i)])
                                     + (claims_.moves_blocks ? "" : ", and moves_blocks is not claimed"));
        if (!claims_.moves_blocks) flow_.fail(*first_->moved);
        return claims_.moves_blocks;
    }

    static block_index count_of(const rank_state& me, std::size_t m) {
        block_index count = 0;
        me.for_each_piece(m, [&](std::size_t k) { count += me.steps[k].blocks.count; });
        return count;
    }

    std::vector<block_index> blocks_of(const rank_state& me, std::size_t m) const {
        std::vector<block_index> list;
        me.for_each_piece(m, [&](std::size_t k) {
            for (block_index i = 0; i < me.steps[k].blocks.count; ++i)
                list.push_back(block_at(me.steps[k].blocks, i, blocks_));
        });
        return list;
    }

    const std::vector<any_generator>& generators_;
    block_index blocks_;
    round_index rounds_;
    capabilities claims_;
    first_pass* first_;
    value_flow flow_;
    std::vector<rank_state> ranks_;
    std::vector<rank_type> complete_{}; // ranks whose round is complete, in the order in which they became so
    std::vector<rank_type> served_{};
    step_list emitted_{};
    waiting_table waiting_sends_{};
    waiting_table waiting_receives_{};
};

} // namespace tutti::detail
