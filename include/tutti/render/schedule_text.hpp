// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/step.hpp>
#include <tutti/render/block_text.hpp>
#include <tutti/render/matched_messages.hpp>
#include <tutti/render/round_lines.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/schedule_window.hpp>

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

/// A line for the phase that round i begins, or is the first one shown of, and the sentence of the round, in
/// lines of at most 80 letters behind its label.
std::string words_above(const round_words& words, round_index i, bool first_shown = false);

/// A line per message and per local step; above those of a round its words, if there are any.
template <class G>
std::string schedule_lines(const ensemble<G>& all, const std::vector<matched_message>& messages,
                           const round_words* words, const schedule_window& shown) {
    schedule_window part = shown.within(all.size(), all.rounds());
    round_lines lines(part, all.size(), all.blocks());
    part.left_out.clear(); // whoever shares a row is read, too
    std::string text;
    auto next = messages.begin();
    for (round_index i = part.first_round; i <= part.last_round; ++i) {
        bool first = words == nullptr;
        if (words != nullptr) text += words_above(*words, i, i == part.first_round);
        for (; next != messages.end() && next->sent_in <= i; ++next)
            if (next->sent_in == i && part.has_end_of(next->from, next->to))
                lines.add(*next, message_line(*next, all.blocks()));
        for (rank_type r = part.first_rank; r <= part.last_rank; ++r)
            all.emit(r, i, [&](const step& s) {
                if (s.is_local())
                    lines.add(r, std::to_string(r).append(" alone: ").append(local_line(s, all.blocks())));
            });
        for (const std::string& line : lines.take()) {
            text.append(round_label(i, all.rounds(), first)).append(line).append("\n");
            first = false;
        }
    }
    return text;
}

} // namespace detail

/// The whole schedule, a line per message and per local step, by rounds:
///
///     round 0: 1 -> 0 block 0 (folds)
///              3 -> 2 block 0 (folds)
///     round 1: 2 -> 0 block 0 (folds)
///
/// Blocks are those that the sender names; "as" tells where the receiver puts them if elsewhere. What is not
/// said to be of another buffer is of `work`. Rounds in which nothing happens are left out.
/// Of a part of the schedule: the messages that are sent in its rounds and have an end on its ranks, and what
/// its ranks do alone. Of ranks that share a row (fold_alike) what they do likewise is one line, the first
/// and the last of them: "0 -> 1 block 0 ... 4 -> 0 block 4". Throws argument_error for a schedule with
/// messages that do not match, and for a part without rounds or ranks.
template <class G>
std::string schedule_text(const ensemble<G>& all, const schedule_window& shown = {}) {
    return detail::schedule_lines(all, matched_messages(all), nullptr, shown);
}

/// The same with what it does in words: a line for each phase, and a sentence for each round, also for those
/// in which nothing happens. See words_of_rounds(), which has `bytes`, too. Words are those of all ranks,
/// whatever part is shown.
///
///     -- rounds 0..1: up the tree
///     round 0: 2 ranks send 1 block each, xor:1, folded; 1 so far, lower bound 1
///              1 -> 0 block 0 (folds)
///              3 -> 2 block 0 (folds)
template <class G>
std::string schedule_text(collective what, const ensemble<G>& all, const schedule_window& shown = {},
                          const std::optional<block_bytes>& bytes = {}) {
    const std::vector<matched_message> messages = matched_messages(all);
    const round_words words = words_of_rounds(what, all, messages, bytes);
    return detail::schedule_lines(all, messages, &words, shown);
}

/// The same of a multicast.
template <class G>
std::string schedule_text(const relation& who, const ensemble<G>& all, const schedule_window& shown = {},
                          const std::optional<block_bytes>& bytes = {}) {
    const std::vector<matched_message> messages = matched_messages(all);
    const round_words words = words_of_rounds(who, all, messages, bytes);
    return detail::schedule_lines(all, messages, &words, shown);
}

/// What one rank does, a line per step; pieces of one message are one line:
///
///     round 0: fold block 0 from 3
///     round 1: send block 0 to 0
///
/// "fold on the left" is where the contribution comes from lower ranks. Of a part of the schedule only its
/// rounds count. Throws argument_error if `rank` is none.
template <class G>
std::string schedule_text(const ensemble<G>& all, rank_type rank, const schedule_window& shown = {}) {
    if (rank < 0 || rank >= all.size()) detail::throw_argument_below("rank", rank, all.size());
    const schedule_window part = shown.within(all.size(), all.rounds());
    std::string text;
    std::vector<step> pieces;
    for (round_index i = part.first_round; i <= part.last_round; ++i) {
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

TUTTI_BODY std::string words_above(const round_words& words, round_index i, bool first_shown) {
    constexpr std::size_t most_letters = 80;
    const auto rounds = static_cast<round_index>(words.rounds.size());
    std::string text;
    for (const schedule_phase& p : words.phases)
        if (p.first == i || (first_shown && p.first < i && i <= p.last))
            text.append("-- ").append(range_text(p)).append(": ").append(p.words).append("\n");
    std::string line = round_label(i, rounds, true);
    const std::size_t indent = line.size();
    const std::string& sentence = words.rounds[static_cast<std::size_t>(i)];
    for (std::size_t at = 0; at < sentence.size();) {
        const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
        if (line.size() > indent && line.size() + 1 + end - at > most_letters) {
            text.append(line).append("\n");
            line.assign(indent, ' ');
        }
        if (line.size() > indent) line += ' ';
        line.append(sentence, at, end - at);
        at = end + 1;
    }
    return text.append(line).append("\n");
}
} // namespace detail
#else
extern template std::string schedule_text(collective, const ensemble<any_generator>&, const schedule_window&,
                                          const std::optional<block_bytes>&);
extern template std::string schedule_text(const relation&, const ensemble<any_generator>&,
                                          const schedule_window&, const std::optional<block_bytes>&);
extern template std::string schedule_text(const ensemble<any_generator>&, const schedule_window&);
extern template std::string schedule_text(const ensemble<any_generator>&, rank_type, const schedule_window&);
#endif

} // namespace tutti
