// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/core/step.hpp>
#include <tutti/render/block_text.hpp>
#include <tutti/render/matched_messages.hpp>

/// A schedule as text for people; for programs there are GOAL, MSCCL XML and `--json`.
namespace tutti {

constexpr std::string_view name_of(buffer_name b) noexcept {
    switch (b) {
    case buffer_name::work: return "work";
    case buffer_name::input: return "input";
    case buffer_name::scratch: return "scratch";
    case buffer_name::scratch_1: return "scratch_1";
    }
    return "?";
}

namespace detail {

/// " of input", nothing for the buffer that nearly everything is about.
inline std::string of_buffer(std::string_view preposition, buffer_name b) {
    if (b == buffer_name::work) return {};
    return std::string(" ").append(preposition).append(" ").append(name_of(b));
}

/// "2 -> 0 block 3 (folds)". What the receiver does with it is said where it is not what was sent.
inline std::string message_line(const matched_message& m, block_index blocks) {
    std::string text = std::to_string(m.from).append(" -> ").append(std::to_string(m.to)).append(" ");
    const std::string what = block_text(m.sent, blocks);
    const std::string as = block_text(m.received, blocks);
    text.append(what).append(of_buffer("of", m.sent.front().buffer));
    if (as != what) text.append(" as ").append(as);
    text.append(of_buffer("into", m.received.front().buffer));
    if (m.folded()) text.append(" (folds)");
    if (m.received_in != m.sent_in)
        text.append(" (received in round ").append(std::to_string(m.received_in)).append(")");
    return text;
}

/// "copies block 3 of input", "folds block 3 of input into scratch".
inline std::string local_line(const step& s, block_index blocks) {
    return std::string(s.folds() ? "folds " : "copies ")
        .append(block_text({&s, 1}, blocks))
        .append(" of ")
        .append(name_of(s.source))
        .append(" into ")
        .append(name_of(s.buffer));
}

/// "round 7: ", blanks where the round is that of the line before.
inline std::string round_label(round_index i, round_index rounds, bool first) {
    const std::size_t digits = std::to_string(std::max<round_index>(rounds - 1, 0)).size();
    const std::string number = std::to_string(i);
    std::string label = "round ";
    label.append(digits - number.size(), ' ').append(number).append(": ");
    return first ? label : std::string(label.size(), ' ');
}

} // namespace detail

/// The whole schedule, a line per message and per local step, by rounds:
///
///     round 0: 1 -> 0 block 0 (folds)
///              3 -> 2 block 0 (folds)
///     round 1: 2 -> 0 block 0 (folds)
///
/// Blocks are those that the sender names; "as" and "into" tell where the receiver puts them if elsewhere.
/// What is not said to be of another buffer is of `work`. Rounds in which nothing happens are left out.
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
                    line(std::to_string(r).append(" ").append(detail::local_line(s, all.blocks())));
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
                    .append(block_text(pieces, all.blocks()))
                    .append(detail::of_buffer(sends ? "of" : "into", s.buffer))
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

} // namespace tutti
