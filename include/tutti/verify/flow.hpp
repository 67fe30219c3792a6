// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/verify/cells.hpp>
#include <tutti/verify/matching.hpp>
#include <tutti/verify/report.hpp>

namespace tutti::detail {

/// Moves and folds symbolic values as the steps say, and stops at the first that has no meaning.
class value_flow {
public:
    /// For the slice that `held` was started for. Folds out of order are noted if `note_order`.
    value_flow(const contract& terms, cells& held, bool note_order)
        : blocks_(terms.blocks), cells_(held), note_order_(note_order) {
        if (terms.what == collective::barrier) heard_.emplace(terms.size);
    }

    const std::optional<finding>& fault() const noexcept { return fault_; }
    void fail(finding f) {
        if (!fault_) fault_ = std::move(f);
    }

    /// The first read of an input block after its place in the result was written.
    const std::optional<finding>& late_input() const noexcept { return late_input_; }
    void note_late_input(const location& at) {
        if (!late_input_)
            late_input_ = find(at, "reads a block of the input whose place in the result was written");
    }

    const cells& held() const noexcept { return cells_; }
    const knowledge* heard() const noexcept { return heard_ ? &*heard_ : nullptr; }

    /// The fold that marked a value as out of order; see value_view::spoiled.
    location spoiled_at(std::uint32_t mark) const {
        return mark <= marks_.size() ? marks_[mark - 1] : location{};
    }

    /// A message moves: the values go to the receiver's inbox. Neither rank's round is complete, so the
    /// sender's cells are those from before its round.
    void transfer(rank_type sender, const rank_state& from, std::size_t sent, rank_type receiver,
                  rank_state& to, std::size_t received) {
        to.messages[received].envelope = static_cast<std::uint32_t>(to.inbox.size());
        from.for_each_piece(sent, [&](std::size_t k) {
            const step& s = from.steps[k];
            for_each_block(s.blocks, blocks_, cells_.part(), [&](block_index b) {
                const value_id value = read(sender, from, k, s.buffer, b);
                if (value != undefined_value) cells_.values.share(value);
                to.inbox.push_back(value);
            });
        });
        if (heard_) heard_->tell(sender, receiver);
    }

    /// The round of rank r is complete: what it received and did itself lands, in listed order.
    void land(rank_type r, const rank_state& me) {
        std::size_t m = 0;
        std::size_t arrived = 0;
        for (std::size_t k = 0; k < me.steps.size() && !fault_; ++k) {
            const step& s = me.steps[k];
            if (m < me.messages.size() && me.messages[m].first == static_cast<std::int32_t>(k))
                arrived = me.messages[m++].envelope;
            if (s.kind == step_kind::send) continue;
            for_each_block(s.blocks, blocks_, cells_.part(), [&](block_index b) {
                if (fault_) return;
                value_id value;
                if (s.is_message()) {
                    value = me.inbox[arrived++];
                } else {
                    value = read(r, me, k, s.source, b);
                    if (fault_) return;
                    cells_.values.share(value);
                }
                if (s.folds()) value = fold(r, me, k, b, value);
                cells_.write(r, s.buffer, b, value);
            });
        }
        if (heard_) heard_->learn(r);
    }

private:
    static constexpr std::size_t most_marks = 1U << 20; // later folds out of order share the last mark

    location where(rank_type r, const rank_state& me, std::size_t k, block_index local) const {
        return me.at(r, k, cells_.part().first + local);
    }

    /// What a step reads; undefined only after a fault.
    value_id read(rank_type r, const rank_state& me, std::size_t k, buffer_name buffer, block_index b) {
        const value_id value = cells_.read(r, buffer, b);
        if (value == undefined_value) fail(find(where(r, me, k, b), "reads an undefined block"));
        if (buffer == buffer_name::input && !cells_.input_intact(r, b)) note_late_input(where(r, me, k, b));
        return value;
    }

    /// Folds `incoming` into what the cell holds; takes over the reference to `incoming`.
    value_id fold(rank_type r, const rank_state& me, std::size_t k, block_index b, value_id incoming) {
        const step& s = me.steps[k];
        const value_id there = read(r, me, k, s.buffer, b);
        if (there == undefined_value) return undefined_value;
        const value_id left = s.side() == operand_side::left ? incoming : there;
        const value_id right = s.side() == operand_side::left ? there : incoming;
        const auto next_mark = static_cast<std::uint32_t>(std::min(marks_.size(), most_marks - 1) + 1);
        const value_id result = cells_.values.fold(left, right, next_mark);
        if (result == undefined_value) {
            fail(find(where(r, me, k, b), why_not(there, incoming)));
            return undefined_value;
        }
        if (note_order_ && marks_.size() < most_marks && cells_.values.view(result).spoiled == next_mark)
            marks_.push_back(where(r, me, k, b));
        cells_.values.release(incoming);
        return result;
    }

    std::string why_not(value_id there, value_id incoming) const {
        const value_view has = cells_.values.view(there);
        const value_view gets = cells_.values.view(incoming);
        if (has.origin != gets.origin)
            return "folds contributions to different blocks: "
                   + std::to_string(cells_.part().first + has.origin) + " and "
                   + std::to_string(cells_.part().first + gets.origin);
        return "the contribution of rank " + std::to_string(cells_.values.common_rank(has, gets))
               + " is folded in twice";
    }

    block_index blocks_;
    cells& cells_;
    bool note_order_;
    std::optional<knowledge> heard_{};
    std::vector<location> marks_{};
    std::optional<finding> fault_{};
    std::optional<finding> late_input_{};
};

} // namespace tutti::detail
