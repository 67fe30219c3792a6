// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/lower_bounds.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/render/matched_messages.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include <tutti/render/round_phases.hpp>
#include <tutti/topology/permutation_name.hpp>
#endif

namespace tutti {

/// Rounds that do the same, one after another.
struct schedule_phase {
    round_index first = 0; ///< from 0
    round_index last = 0;  ///< this one, too
    std::string words{};   ///< "halving"

    friend bool operator==(const schedule_phase&, const schedule_phase&) = default;
};

/// What a schedule does, in words.
struct round_words {
    /// Of each round: who sends how much and where, and what the busiest rank has sent so far:
    /// "8 ranks send 2 blocks each, xor:2 among the 8, folded; 10 so far, lower bound 15".
    std::vector<std::string> rounds{};
    /// In order; every round is in one.
    std::vector<schedule_phase> phases{};
};

namespace detail {

/// "rounds 2..4", "round 5".
std::string range_text(const schedule_phase& p);

round_words in_words(collective what, const lower_bounds& least, rank_type size, round_index rounds,
                     const std::vector<matched_message>& messages);

} // namespace detail

/// The words below, for who has matched the messages already.
template <class G>
round_words words_of_rounds(collective what, const ensemble<G>& all,
                            const std::vector<matched_message>& messages) {
    return detail::in_words(what, bounds_of(what, all.size(), all.blocks()), all.size(), all.rounds(),
                            messages);
}
/// The same of a multicast.
template <class G>
round_words words_of_rounds(const relation& who, const ensemble<G>& all,
                            const std::vector<matched_message>& messages) {
    return detail::in_words(collective::multicast, bounds_of(who, all.blocks()), all.size(), all.rounds(),
                            messages);
}

/// The words of a schedule, told from its messages alone: no generator is asked.
///
/// Permutations are named as `tutti congestion` names them: shift:4 is to the rank 4 further on, xor:2 to the
/// one whose number differs in bit 1; "among the 8" counts the ranks that take part in the round. "1..4
/// apart" are the distances round the circle of all ranks where there is no such name. Blocks are those of
/// one sender, "so far" those of the rank that has sent most by then, and the lower bound what some rank has
/// to send whatever the algorithm (core/lower_bounds.hpp); rounds in place of blocks for a barrier.
///
/// Throws argument_error for a schedule with messages that do not match. Time and memory: those of reading
/// all steps. A multicast without its relation has no lower bound. Example with 5 ranks, bcast by fnomial:
/// "rank 0 sends 1 block, to rank 4; 1 so far, lower bound 1" for round 0, and one phase, "down the tree".
template <class G>
round_words words_of_rounds(collective what, const ensemble<G>& all) {
    return words_of_rounds(what, all, matched_messages(all));
}

/// The same of a multicast.
template <class G>
round_words words_of_rounds(const relation& who, const ensemble<G>& all) {
    return words_of_rounds(who, all, matched_messages(all));
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string range_text(const schedule_phase& p) {
    const std::string first = std::to_string(p.first);
    if (p.first == p.last) return "round " + first;
    return "rounds " + first + ".." + std::to_string(p.last);
}

/// "2 blocks each", "up to 3 blocks each in up to 2 messages", "a sign"; who sends, before that.
inline std::string senders_text(const told_round& round, rank_type size) {
    std::map<rank_type, std::pair<block_index, int>> of; // blocks and messages of each sender
    for (const told_message& m : round.messages) {
        of[m.from].first += m.blocks;
        ++of[m.from].second;
    }
    const bool one = of.size() == 1;
    const bool all = of.size() == static_cast<std::size_t>(size);
    std::string text = one ? "rank " + std::to_string(of.begin()->first)
                           : (all ? "all " : "") + std::to_string(of.size()) + " ranks";
    text += one ? " sends " : " send ";
    const auto [least, most] = std::minmax_element(
        of.begin(), of.end(), [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    int messages = 0;
    for (const auto& [rank, what] : of) messages = std::max(messages, what.second);
    if (const block_index blocks = most->second.first; blocks == 0) {
        text += "a sign";
    } else {
        if (least->second.first != blocks) text += "up to ";
        text.append(std::to_string(blocks)).append(blocks == 1 ? " block" : " blocks");
    }
    if (!one) text += " each";
    if (messages > 1)
        text.append(one ? " in " : " in up to ").append(std::to_string(messages)).append(" messages");
    return text;
}

/// "shift:4", "xor:1 among the 8", "to rank 0", "1..4 apart".
inline std::string where_text(const told_round& round, rank_type size) {
    std::set<rank_type> targets;
    told_distance apart(size);
    for (const told_message& m : round.messages) {
        targets.insert(m.to);
        apart.add(m);
    }
    if (targets.size() == 1) return "to rank " + std::to_string(*targets.begin());
    const std::string name = permutation_name(round.messages, size, [](rank_type r) { return r; });
    if (!name.empty()) return name;
    const auto count = static_cast<rank_type>(round.active.size());
    const std::string among = permutation_name(round.messages, count, [&](rank_type r) {
        return static_cast<rank_type>(std::lower_bound(round.active.begin(), round.active.end(), r)
                                      - round.active.begin());
    });
    if (!among.empty()) return among + " among the " + std::to_string(count);
    return apart.text();
}

inline std::string round_text(collective what, const lower_bounds& least, rank_type size, round_index done,
                              const told_round& round, block_index sent) {
    std::string text = "nobody sends";
    if (!round.messages.empty()) {
        text = senders_text(round, size).append(", ").append(where_text(round, size));
        if (round.folds > 0) text += round.folds == round.messages.size() ? ", folded" : ", some folded";
    }
    const bool barrier = what == collective::barrier;
    text.append("; ").append(std::to_string(barrier ? done : sent));
    if (barrier) text += done == 1 ? " round" : " rounds";
    text += " so far";
    if (const std::int64_t bound = barrier ? least.rounds : least.sent_blocks; bound > 0)
        text.append(", lower bound ").append(std::to_string(bound));
    return text;
}

TUTTI_BODY round_words in_words(collective what, const lower_bounds& least, rank_type size,
                                round_index rounds, const std::vector<matched_message>& messages) {
    std::vector<told_round> told(static_cast<std::size_t>(rounds));
    for (const matched_message& m : messages) {
        block_index blocks = 0;
        for (const step& s : m.sent) blocks += s.blocks.count;
        told[static_cast<std::size_t>(m.sent_in)].add({m.from, m.to, blocks}, m.folded());
    }
    round_words words;
    std::vector<block_index> sent(static_cast<std::size_t>(size), 0);
    block_index most = 0;
    for (told_round& round : told) {
        round.close();
        for (const told_message& m : round.messages)
            most = std::max(most, sent[static_cast<std::size_t>(m.from)] += m.blocks);
        const auto done = static_cast<round_index>(words.rounds.size()) + 1;
        words.rounds.push_back(round_text(what, least, size, done, round, most));
    }
    for (round_phase& p : phases_of(told, size))
        words.phases.push_back({.first = static_cast<round_index>(p.first),
                                .last = static_cast<round_index>(p.last),
                                .words = std::move(p.words)});
    return words;
}
} // namespace detail
#else
extern template round_words words_of_rounds(collective, const ensemble<any_generator>&);
extern template round_words words_of_rounds(const relation&, const ensemble<any_generator>&);
#endif

} // namespace tutti
