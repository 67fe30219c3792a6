// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/step.hpp>
#include <tutti/render/block_text.hpp>
#include <tutti/render/matched_messages.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#endif

/// A schedule as text for people; for programs there are GOAL, MSCCL XML and `--json`.
namespace tutti {

namespace detail {

/// "2 -> 0 block 3 (folds)". What the receiver does with it is said where it is not what was sent.
std::string message_line(const matched_message& m, block_index blocks);

/// "copy block 3 of input to work", "fold block 3 of input into scratch".
std::string local_line(const step& s, block_index blocks);

/// "round 7: ", blanks where the round is that of the line before.
std::string round_label(round_index i, round_index rounds, bool first);

} // namespace detail

/// The whole schedule, a line per message and per local step, by rounds:
///
///     round 0: 1 -> 0 block 0 (folds)
///              3 -> 2 block 0 (folds)
///     round 1: 2 -> 0 block 0 (folds)
///
/// Blocks are those that the sender names; "as" tells where the receiver puts them if elsewhere. What is not
/// said to be of another buffer is of `work`. Rounds in which nothing happens are left out.
/// Throws argument_error for a schedule with messages that do not match.
template <class G>
std::string schedule_text(const ensemble<G>& all) {
    const std::vector<matched_message> messages = matched_messages(all);
    std::string text;
    auto next = messages.begin();
    for (round_index i = 0; i < all.rounds(); ++i) {
        bool first = true;
        const auto line = [&](const std::string& words) {
            text.append(detail::round_label(i, all.rounds(), first)).append(words).append("\n");
            first = false;
        };
        for (; next != messages.end() && next->sent_in == i; ++next)
            line(detail::message_line(*next, all.blocks()));
        for (rank_type r = 0; r < all.size(); ++r)
            all.emit(r, i, [&](const step& s) {
                if (s.is_local())
                    line(std::to_string(r).append(" alone: ").append(detail::local_line(s, all.blocks())));
            });
    }
    return text;
}

/// What one rank does, a line per step; pieces of one message are one line:
///
///     round 0: fold block 0 from 3
///     round 1: send block 0 to 0
///
/// "fold on the left" is where the contribution comes from lower ranks. Throws argument_error if `rank` is
/// none.
template <class G>
std::string schedule_text(const ensemble<G>& all, rank_type rank) {
    if (rank < 0 || rank >= all.size()) detail::throw_argument_below("rank", rank, all.size());
    std::string text;
    std::vector<step> pieces;
    for (round_index i = 0; i < all.rounds(); ++i) {
        bool first = true;
        all.emit(rank, i, [&](const step& s) {
            pieces.push_back(s);
            if (s.continues()) return;
            text += detail::round_label(i, all.rounds(), first);
            first = false;
            if (s.is_local()) {
                text += detail::local_line(s, all.blocks());
            } else {
                const bool sends = s.kind == step_kind::send;
                text.append(sends       ? "send "
                            : s.folds() ? "fold "
                                        : "recv ")
                    .append(block_text(pieces, all.blocks(), sends ? "of" : "into"))
                    .append(sends ? " to " : " from ")
                    .append(std::to_string(s.peer));
                if (s.folds() && s.side() == operand_side::left) text += " on the left";
            }
            text += "\n";
            pieces.clear();
        });
    }
    return text;
}

#if TUTTI_BODIES
namespace detail {
/// The blocks alone, wherever they lie.
inline std::string index_text(std::vector<step> message, block_index blocks) {
    for (step& part : message) part.buffer = buffer_name::work;
    return block_text(message, blocks);
}

TUTTI_BODY std::string message_line(const matched_message& m, block_index blocks) {
    std::string text = std::to_string(m.from).append(" -> ").append(std::to_string(m.to)).append(" ");
    text += block_text(m.sent, blocks);
    const auto not_work = [](const step& s) { return s.buffer != buffer_name::work; };
    if (index_text(m.sent, blocks) != index_text(m.received, blocks)
        || std::any_of(m.received.begin(), m.received.end(), not_work))
        text.append(" as ").append(block_text(m.received, blocks));
    if (m.folded()) text.append(" (folds)");
    if (m.received_in != m.sent_in)
        text.append(" (received in round ").append(std::to_string(m.received_in)).append(")");
    return text;
}

TUTTI_BODY std::string local_line(const step& s, block_index blocks) {
    return std::string(s.folds() ? "fold " : "copy ")
        .append(index_text({s}, blocks))
        .append(" of ")
        .append(name_of(s.source))
        .append(s.folds() ? " into " : " to ")
        .append(name_of(s.buffer));
}

TUTTI_BODY std::string round_label(round_index i, round_index rounds, bool first) {
    const std::size_t digits = std::to_string(std::max<round_index>(rounds - 1, 0)).size();
    const std::string number = std::to_string(i);
    std::string label = "round ";
    label.append(digits - number.size(), ' ').append(number).append(": ");
    return first ? label : std::string(label.size(), ' ');
}
} // namespace detail
#else
extern template std::string schedule_text(const ensemble<any_generator>&);
extern template std::string schedule_text(const ensemble<any_generator>&, rank_type);
#endif

} // namespace tutti
