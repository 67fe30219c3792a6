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
#include <tutti/verify/cells.hpp>
#include <tutti/verify/matching.hpp>
#include <tutti/verify/report.hpp>
#include <tutti/verify/round_check.hpp>
#include <tutti/verify/tally.hpp>

namespace tutti::detail {

/// Where a rank stands: the round it is in, whose steps are all in flight.
struct rank_state {
    round_index round = -1;
    std::vector<step> steps{};
    std::vector<message> messages{};
    std::vector<value_id> inbox{}; // values received in this round, message after message
    std::size_t waiting = 0;       // messages not matched yet
};

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
        : terms_(terms), generators_(generators), cells_(held), first_(first),
          ranks_(static_cast<std::size_t>(terms.size)) {
        if (terms.what == collective::barrier) heard_.emplace(terms.size);
    }

    /// Runs to the end, to the first fault or to the point where nothing moves any more.
    void run() {
        for (rank_type r = 0; r < terms_.size && !fault_; ++r) enter_next_round(r);
        for (std::size_t turn = 0; turn < complete_.size() && !fault_; ++turn) {
            const rank_type r = complete_[turn];
            land(r);
            if (!fault_) enter_next_round(r);
            if (turn > 4096 && 2 * turn > complete_.size()) { // forget the ranks served
                complete_.erase(complete_.begin(), complete_.begin() + static_cast<std::ptrdiff_t>(turn) + 1);
                turn = static_cast<std::size_t>(-1);
            }
        }
    }

    const std::optional<finding>& fault() const noexcept { return fault_; }
    /// The first read of an input block after its place in the result was written.
    const std::optional<finding>& late_input() const noexcept { return late_input_; }
    bool ended(rank_type r) const noexcept { return state(r).round == rounds(); }
    const rank_state& state(rank_type r) const noexcept { return ranks_[static_cast<std::size_t>(r)]; }
    const cells& held() const noexcept { return cells_; }
    const knowledge* heard() const noexcept { return heard_ ? &*heard_ : nullptr; }

    /// The fold that marked a value as out of order; see value_view::spoiled.
    location spoiled_at(std::uint32_t mark) const {
        return mark <= marks_.size() ? marks_[mark - 1] : location{};
    }

private:
    static constexpr std::size_t most_marks = 1U << 20; // later folds out of order share the last mark

    round_index rounds() const noexcept { return generators_.front().rounds(); }
    block_index blocks() const noexcept { return terms_.blocks; }
    rank_state& state(rank_type r) noexcept { return ranks_[static_cast<std::size_t>(r)]; }

    location where(rank_type r, std::size_t k, block_index local = -1) const {
        const step& s = state(r).steps[k];
        const block_index b =
            local >= 0 ? cells_.part().first + local : (s.blocks.count > 0 ? s.blocks.first : -1);
        return {.rank = r,
                .round = state(r).round,
                .step = static_cast<std::int64_t>(k),
                .block = b,
                .peer = s.peer};
    }
    void fail(const location& at, const std::string& why) {
        if (!fault_) fault_ = find(at, why);
    }

    /// Posts all messages of the rank's next round that has steps.
    void enter_next_round(rank_type r) {
        rank_state& me = state(r);
        me.steps.clear();
        me.messages.clear();
        me.inbox.clear();
        while (++me.round < rounds()) {
            generators_[static_cast<std::size_t>(r)].append(me.round, me.steps);
            if (!me.steps.empty()) break;
        }
        if (me.steps.empty()) return;
        if (first_ != nullptr) {
            if (auto fault = first_->check(r, me.round, me.steps)) {
                fault_ = std::move(fault);
                return;
            }
            if (const auto& late = first_->check.late_input(); late && !late_input_)
                late_input_ = find(*late, late_input_text);
            first_->counted.count(r, me.round, me.steps);
        }
        bool goes_on = false;
        for (std::size_t k = 0; k < me.steps.size(); ++k) {
            if (me.steps[k].is_message() && !goes_on)
                me.messages.push_back({.first = static_cast<std::int32_t>(k)});
            goes_on = me.steps[k].continues();
        }
        me.waiting = me.messages.size();
        for (std::size_t m = 0; m < me.messages.size() && !fault_; ++m) post(r, m);
        if (me.waiting == 0) complete_.push_back(r);
    }

    const step& head_of(rank_type r, std::size_t m) const noexcept {
        return state(r).steps[static_cast<std::size_t>(state(r).messages[m].first)];
    }

    void post(rank_type r, std::size_t m) {
        const step& head = head_of(r, m);
        const bool sends = head.kind == step_kind::send;
        const std::uint64_t pair =
            sends ? waiting_table::pair_of(r, head.peer) : waiting_table::pair_of(head.peer, r);
        auto* queue = waiting_.look_up(pair);
        if (queue == nullptr) {
            waiting_.insert({.pair = pair,
                             .head = static_cast<std::int32_t>(m),
                             .tail = static_cast<std::int32_t>(m),
                             .sends = sends});
        } else if (queue->sends == sends) {
            state(r).messages[static_cast<std::size_t>(queue->tail)].next = static_cast<std::int32_t>(m);
            queue->tail = static_cast<std::int32_t>(m);
        } else {
            const rank_type peer = head.peer;
            const auto partner = static_cast<std::size_t>(queue->head);
            if (queue->head == queue->tail)
                waiting_.erase(queue);
            else
                queue->head = state(peer).messages[partner].next;
            if (sends)
                transfer(r, m, peer, partner);
            else
                transfer(peer, partner, r, m);
            state(r).messages[m].waiting = false;
            state(peer).messages[partner].waiting = false;
            --state(r).waiting;
            if (--state(peer).waiting == 0) complete_.push_back(peer);
        }
    }

    /// Calls f(step index) for the pieces of a message.
    template <class F>
    void for_each_piece(rank_type r, std::size_t m, F&& f) const {
        const std::vector<step>& steps = state(r).steps;
        auto k = static_cast<std::size_t>(state(r).messages[m].first);
        for (; steps[k].continues(); ++k) f(k);
        f(k);
    }

    /// A message moves: the values go to the receiver's inbox. Neither rank's round is complete, so the
    /// sender's cells are those from before its round.
    void transfer(rank_type sender, std::size_t sent, rank_type receiver, std::size_t received) {
        rank_state& to = state(receiver);
        if (first_ != nullptr && !alike(sender, sent, receiver, received)) return;
        to.messages[received].envelope = static_cast<std::uint32_t>(to.inbox.size());
        for_each_piece(sender, sent, [&](std::size_t k) {
            const step& s = state(sender).steps[k];
            for_each_block(s.blocks, blocks(), cells_.part(), [&](block_index b) {
                const value_id value = read(sender, k, s.buffer, b);
                if (value != undefined_value) cells_.values.share(value);
                to.inbox.push_back(value);
            });
        });
        if (heard_) heard_->tell(sender, receiver);
    }

    /// Whether both sides name as many blocks, and the same ones unless blocks may move.
    bool alike(rank_type sender, std::size_t sent, rank_type receiver, std::size_t received) {
        const step& s = head_of(sender, sent);
        const step& r = head_of(receiver, received);
        if (!s.continues() && !r.continues() && s.blocks == r.blocks) return true;
        std::vector<block_index> there, here;
        const auto list = [this](std::vector<block_index>& into, const step& piece) {
            for (block_index i = 0; i < piece.blocks.count; ++i)
                into.push_back(block_at(piece.blocks, i, blocks()));
        };
        for_each_piece(sender, sent, [&](std::size_t k) { list(there, state(sender).steps[k]); });
        for_each_piece(receiver, received, [&](std::size_t k) { list(here, state(receiver).steps[k]); });
        const location at =
            where(receiver, static_cast<std::size_t>(state(receiver).messages[received].first));
        const location from = where(sender, static_cast<std::size_t>(state(sender).messages[sent].first));
        const std::string other = " (rank " + std::to_string(sender) + ", round " + std::to_string(from.round)
                                  + ", step " + std::to_string(from.step) + ")";
        if (there.size() != here.size()) {
            fail(at, "wrong length: receives " + std::to_string(here.size()) + " blocks, but the sender"
                         + other + " sends " + std::to_string(there.size()));
            return false;
        }
        if (first_->moved || there == here) return true;
        const auto i = static_cast<std::size_t>(std::mismatch(there.begin(), there.end(), here.begin()).first
                                                - there.begin());
        location moved = at;
        moved.block = here[i];
        first_->moved = find(moved, "the message changes the index of a block: the sender" + other
                                        + " sends block " + std::to_string(there[i]));
        if (!generators_.front().claims().moves_blocks) {
            fault_ = first_->moved;
            fault_->what += ", and moves_blocks is not claimed";
            return false;
        }
        return true;
    }

    /// What a step reads; undefined only after a fault.
    value_id read(rank_type r, std::size_t k, buffer_name buffer, block_index b) {
        const value_id value = cells_.read(r, buffer, b);
        if (value == undefined_value) fail(where(r, k, b), "reads an undefined block");
        if (buffer == buffer_name::input && !late_input_ && !cells_.input_intact(r, b))
            late_input_ = find(where(r, k, b), late_input_text);
        return value;
    }

    /// The rank's round is complete: what it received and did itself lands, in listed order.
    void land(rank_type r) {
        rank_state& me = state(r);
        std::size_t m = 0;
        std::size_t arrived = 0;
        for (std::size_t k = 0; k < me.steps.size() && !fault_; ++k) {
            const step& s = me.steps[k];
            if (m < me.messages.size() && me.messages[m].first == static_cast<std::int32_t>(k))
                arrived = me.messages[m++].envelope;
            if (s.kind == step_kind::send) continue;
            for_each_block(s.blocks, blocks(), cells_.part(), [&](block_index b) {
                if (fault_) return;
                value_id value;
                if (s.is_message()) {
                    value = me.inbox[arrived++];
                } else {
                    value = read(r, k, s.source, b);
                    if (fault_) return;
                    cells_.values.share(value);
                }
                if (s.folds()) value = fold(r, k, b, value);
                cells_.write(r, s.buffer, b, value);
            });
        }
        if (heard_) heard_->learn(r);
    }

    /// Folds `incoming` into what the cell holds; takes over the reference to `incoming`.
    value_id fold(rank_type r, std::size_t k, block_index b, value_id incoming) {
        const step& s = state(r).steps[k];
        const value_id there = read(r, k, s.buffer, b);
        if (there == undefined_value) return undefined_value;
        const value_id left = s.side() == operand_side::left ? incoming : there;
        const value_id right = s.side() == operand_side::left ? there : incoming;
        const auto next_mark = static_cast<std::uint32_t>(std::min(marks_.size(), most_marks - 1) + 1);
        const value_id result = cells_.values.fold(left, right, next_mark);
        if (result == undefined_value) {
            complain(r, k, b, there, incoming);
            return undefined_value;
        }
        if (generators_.front().claims().order_preserving && marks_.size() < most_marks
            && cells_.values.view(result).spoiled == next_mark)
            marks_.push_back(where(r, k, b));
        cells_.values.release(incoming);
        return result;
    }

    void complain(rank_type r, std::size_t k, block_index b, value_id there, value_id incoming) {
        const value_view has = cells_.values.view(there);
        const value_view gets = cells_.values.view(incoming);
        if (has.origin != gets.origin)
            fail(where(r, k, b), "folds contributions to different blocks: "
                                     + std::to_string(cells_.part().first + has.origin) + " and "
                                     + std::to_string(cells_.part().first + gets.origin));
        else
            fail(where(r, k, b), "the contribution of rank "
                                     + std::to_string(cells_.values.common_rank(has, gets))
                                     + " is folded in twice");
    }

    static constexpr const char* late_input_text =
        "reads a block of the input whose place in the result was written";

    contract terms_;
    const std::vector<any_generator>& generators_;
    cells& cells_;
    std::optional<knowledge> heard_{};
    first_pass* first_;
    std::vector<rank_state> ranks_;
    std::vector<rank_type> complete_{}; // ranks whose round is complete, in the order in which they became so
    waiting_table waiting_{};
    std::vector<location> marks_{};
    std::optional<finding> fault_{};
    std::optional<finding> late_input_{};
};

} // namespace tutti::detail
