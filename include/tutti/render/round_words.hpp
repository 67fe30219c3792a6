// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/render/matched_messages.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/lower_bounds.hpp>
#include <tutti/render/round_phases.hpp>
#include <tutti/render/typed_number.hpp>
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
    /// "8 ranks send 2 blocks each, xor:2 among the 8, folded; 10 so far, lower bound 15", or of bytes
    /// "8 ranks send 16K bytes each, xor:2 among the 8, folded; 80K so far, lower bound 120984".
    std::vector<std::string> rounds{};
    /// In order; every round is in one.
    std::vector<schedule_phase> phases{};
};

namespace detail {

/// "rounds 2..4", "round 5".
std::string range_text(const schedule_phase& p);

/// What some rank has to send: in bytes where those are known, else in blocks. For a barrier rounds.
std::int64_t least_so_far(collective what, rank_type size, block_index blocks,
                          const std::optional<block_bytes>& bytes);
std::int64_t least_so_far(const relation& who, block_index blocks, const std::optional<block_bytes>& bytes);

round_words in_words(collective what, std::int64_t least, rank_type size, round_index rounds,
                     const std::vector<matched_message>& messages,
                     const std::optional<block_bytes>& bytes = {});

} // namespace detail

/// The words below, for who has matched the messages already.
template <class G>
round_words words_of_rounds(collective what, const ensemble<G>& all,
                            const std::vector<matched_message>& messages,
                            const std::optional<block_bytes>& bytes = {}) {
    return detail::in_words(what, detail::least_so_far(what, all.size(), all.blocks(), bytes), all.size(),
                            all.rounds(), messages, bytes);
}
/// The same of a multicast.
template <class G>
round_words words_of_rounds(const relation& who, const ensemble<G>& all,
                            const std::vector<matched_message>& messages,
                            const std::optional<block_bytes>& bytes = {}) {
    return detail::in_words(collective::multicast, detail::least_so_far(who, all.blocks(), bytes), all.size(),
                            all.rounds(), messages, bytes);
}

/// The words of a schedule, told from its messages alone: no generator is asked.
///
/// Permutations are named as `tutti congestion` names them: shift:4 is to the rank 4 further on, xor:2 to the
/// one whose number differs in bit 1; "among the 8" counts the ranks that take part in the round. "1..4
/// apart" are the distances round the circle of all ranks where there is no such name. Blocks are those of
/// one sender, "so far" those of the rank that has sent most by then, and the lower bound what some rank has
/// to send whatever the algorithm (core/lower_bounds.hpp); rounds in place of blocks for a barrier. With
/// `bytes`, those of the schedule's blocks, all that is counted in blocks is counted in bytes.
///
/// Throws argument_error for a schedule with messages that do not match, and for the bytes of another number
/// of blocks. Time and memory: those of reading all steps. A multicast without its relation has no lower
/// bound. Example with 5 ranks, bcast by fnomial: "rank 0 sends 1 block, to rank 4; 1 so far, lower bound 1"
/// for round 0, and one phase, "down the tree".
template <class G>
round_words words_of_rounds(collective what, const ensemble<G>& all,
                            const std::optional<block_bytes>& bytes = {}) {
    return words_of_rounds(what, all, matched_messages(all), bytes);
}

/// The same of a multicast.
template <class G>
round_words words_of_rounds(const relation& who, const ensemble<G>& all,
                            const std::optional<block_bytes>& bytes = {}) {
    return words_of_rounds(who, all, matched_messages(all), bytes);
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string range_text(const schedule_phase& p) {
    const std::string first = std::to_string(p.first);
    if (p.first == p.last) return "round " + first;
    return "rounds " + first + ".." + std::to_string(p.last);
}

inline void check_blocks_of(const block_bytes& bytes, block_index blocks) {
    if (bytes.blocks() != blocks)
        throw_argument("bytes.blocks()", bytes.blocks(), std::to_string(blocks) + ", those of the schedule");
}

/// Of the shortest block and of the longest: parts of single ranks may be of different lengths.
inline std::pair<std::int64_t, std::int64_t> extreme_bytes(const block_bytes& bytes) {
    std::pair<std::int64_t, std::int64_t> found{bytes.total(), 0};
    for (block_index b = 0; b < bytes.blocks(); ++b) {
        const std::int64_t one = bytes({.first = b, .count = 1});
        found = {std::min(found.first, one), std::max(found.second, one)};
    }
    return found;
}

TUTTI_BODY std::int64_t least_so_far(collective what, rank_type size, block_index blocks,
                                     const std::optional<block_bytes>& bytes) {
    if (bytes) check_blocks_of(*bytes, blocks);
    const lower_bounds least = bounds_of(what, size, blocks);
    if (what == collective::barrier) return least.rounds;
    if (!bytes) return least.sent_blocks;
    if (what == collective::gather) return least.sent_blocks * extreme_bytes(*bytes).first;
    if (what == collective::scatter) // the root's own may be the longest
        return bytes->total() - (blocks - least.sent_blocks) * extreme_bytes(*bytes).second;
    return bounds_of(what, size, bytes->layout().elements()).sent_blocks * bytes->element();
}

TUTTI_BODY std::int64_t least_so_far(const relation& who, block_index blocks,
                                     const std::optional<block_bytes>& bytes) {
    if (bytes) check_blocks_of(*bytes, blocks);
    const block_index least = bounds_of(who, blocks).sent_blocks;
    return bytes ? least * extreme_bytes(*bytes).first : least;
}

/// "2 blocks each", "up to 3 blocks each in up to 2 messages", "16K bytes", "a sign"; who sends, before that.
inline std::string senders_text(const told_round& round, rank_type size, bool in_bytes) {
    std::map<rank_type, std::pair<std::int64_t, int>> of; // volume and messages of each sender
    for (const told_message& m : round.messages) {
        of[m.from].first += m.volume;
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
    if (round.longest == 0) {
        text += "a sign";
    } else {
        const std::int64_t volume = most->second.first;
        if (least->second.first != volume) text += "up to ";
        text.append(in_bytes ? typed_number(volume) + " byte" : std::to_string(volume) + " block");
        if (volume != 1) text += "s";
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

/// Who sends how much where.
inline std::string round_text(const told_round& round, rank_type size, bool in_bytes) {
    if (round.messages.empty()) return "nobody sends";
    std::string text = senders_text(round, size, in_bytes).append(", ").append(where_text(round, size));
    if (round.folds > 0) text += round.folds == round.messages.size() ? ", folded" : ", some folded";
    return text;
}

TUTTI_BODY round_words in_words(collective what, std::int64_t least, rank_type size, round_index rounds,
                                const std::vector<matched_message>& messages,
                                const std::optional<block_bytes>& bytes) {
    const bool barrier = what == collective::barrier; // of which rounds are counted
    const bool in_bytes = bytes.has_value() && !barrier;
    const auto number = [&](std::int64_t n) { return in_bytes ? typed_number(n) : std::to_string(n); };
    std::vector<told_round> told(static_cast<std::size_t>(rounds));
    for (const matched_message& m : messages) {
        told_message one{m.from, m.to};
        for (const step& s : m.sent) {
            one.blocks += s.blocks.count;
            one.volume += in_bytes ? (*bytes)(s.blocks) : s.blocks.count;
        }
        told[static_cast<std::size_t>(m.sent_in)].add(one, m.folded());
    }
    round_words words;
    std::vector<std::int64_t> sent(static_cast<std::size_t>(size), 0);
    std::int64_t most = 0;
    for (told_round& round : told) {
        round.close();
        for (const told_message& m : round.messages)
            most = std::max(most, sent[static_cast<std::size_t>(m.from)] += m.volume);
        const std::size_t done = words.rounds.size() + 1;
        std::string text = round_text(round, size, in_bytes);
        if (barrier)
            text.append("; ").append(std::to_string(done)).append(done == 1 ? " round" : " rounds");
        else
            text.append("; ").append(number(most));
        text += " so far";
        if (least > 0) text.append(", lower bound ").append(number(least));
        words.rounds.push_back(std::move(text));
    }
    for (round_phase& p : phases_of(told, size, in_bytes))
        words.phases.push_back({.first = static_cast<round_index>(p.first),
                                .last = static_cast<round_index>(p.last),
                                .words = std::move(p.words)});
    return words;
}
} // namespace detail
#else
extern template round_words words_of_rounds(collective, const ensemble<any_generator>&,
                                            const std::optional<block_bytes>&);
extern template round_words words_of_rounds(const relation&, const ensemble<any_generator>&,
                                            const std::optional<block_bytes>&);
#endif

} // namespace tutti
