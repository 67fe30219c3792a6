// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/render/round_trees.hpp>
#include <tutti/render/typed_number.hpp>
#include <tutti/topology/permutation_name.hpp>

/// The phases of a schedule, told from who sends how much to whom.
namespace tutti::detail {

struct round_phase {
    std::size_t first;
    std::size_t last;
    std::string words;
};

class phase_finder {
public:
    phase_finder(const std::vector<told_round>& rounds, rank_type size, bool in_bytes)
        : rounds_(rounds), size_(size), in_bytes_(in_bytes) {}

    std::vector<round_phase> find() && {
        if (!all_trees()) {
            const extra_ranks extra = find_extra();
            const std::string count =
                std::to_string(extra.count) + (extra.count == 1 ? " extra rank" : " extra ranks");
            if (extra.begin > 0)
                add(0, extra.begin,
                    (rounds_.front().folds > 0 ? "fold the " + count + " in" : "take in the " + count));
            add_kinds(extra.begin, extra.end);
            if (extra.end < rounds_.size())
                add(extra.end, rounds_.size(), "give back to the " + std::to_string(extra.count));
        }
        return std::move(phases_);
    }

private:
    using kind = told_round::kind;

    void add(std::size_t begin, std::size_t end, std::string words) {
        phases_.push_back({begin, end - 1, std::move(words)});
    }

    /// Where the rounds that begin with `begin` and do the same to what arrives end.
    std::size_t end_of_kind(std::size_t begin, std::size_t end) const {
        std::size_t k = begin;
        while (k < end && rounds_[k].what() == rounds_[begin].what()) ++k;
        return k;
    }

    /// Adds the phases, and says so, if the whole schedule is one tree after another.
    bool all_trees() {
        for (std::size_t k = 0; k < rounds_.size();) {
            const std::size_t end = end_of_kind(k, rounds_.size());
            const auto [tree, words] = leading_tree(rounds_, size_, k, end);
            if (tree != end) {
                phases_.clear();
                return false;
            }
            add(k, end, words);
            k = end;
        }
        return true;
    }

    void add_kinds(std::size_t begin, std::size_t end) {
        std::size_t kinds = 0;
        for (std::size_t k = begin; k < end; k = end_of_kind(k, end)) ++kinds;
        if (kinds >= 4) // a pipeline that goes both ways
            if (std::string words = repeated_words(begin, end); !words.empty()) return add(begin, end, words);
        while (begin < end) {
            const std::size_t alike = end_of_kind(begin, end);
            if (rounds_[begin].what() == kind::idle) {
                add(begin, alike, "nobody sends");
                begin = alike;
                continue;
            }
            if (auto [reached, words] = leading_tree(rounds_, size_, begin, alike);
                reached == alike || (reached > begin && differs_behind(begin, reached))) {
                add(begin, reached, std::move(words));
                begin = reached;
                continue;
            }
            if (std::string words = repeated_words(begin, alike); !words.empty()) {
                add(begin, alike, std::move(words));
                begin = alike;
            }
            while (begin < alike) {
                auto [reached, words] = leading_volumes(begin, alike);
                add(begin, reached, std::move(words));
                begin = reached;
            }
        }
    }
    /// Whether the rounds up to `reached` are no mere beginning of what goes on behind them.
    bool differs_behind(std::size_t begin, std::size_t reached) const {
        for (std::size_t k = begin; k < reached; ++k)
            if (rounds_[k].longest != rounds_[reached].longest) return true;
        return false;
    }

    /// Rounds whose messages take the same ways again and again; "" for others.
    std::string repeated_words(std::size_t begin, std::size_t end) const {
        std::set<std::pair<rank_type, rank_type>> edges;
        std::size_t messages = 0;
        told_distance apart(size_);
        bool several = false; // at once, from one rank
        for (std::size_t k = begin; k < end; ++k) {
            const std::vector<told_message>& all = rounds_[k].messages;
            messages += all.size();
            for (std::size_t n = 0; n < all.size(); ++n) {
                edges.insert({all[n].from, all[n].to});
                apart.add(all[n]);
                several = several || (n > 0 && all[n - 1].from == all[n].from && all[n - 1].to != all[n].to);
            }
        }
        if (messages < 2 * edges.size()) return "";
        const std::string folding = folding_words(begin, end);
        std::vector<std::size_t> out(static_cast<std::size_t>(size_), 0);
        std::vector<std::size_t> in = out;
        for (const auto& [from, to] : edges)
            ++out[static_cast<std::size_t>(from)], ++in[static_cast<std::size_t>(to)];
        const auto [fewest_out, most_out] = std::minmax_element(out.begin(), out.end());
        const auto [fewest_in, most_in] = std::minmax_element(in.begin(), in.end());
        const bool near = size_ > 3 && apart.farthest() == 1; // of fewer ranks nobody is far
        if (near && several) return "round the ring, both ways" + folding;
        if (near) return (*most_out == 1 ? "round the ring" : "between neighbours") + folding;
        if (size_ > 4 && *fewest_in == 0 && *most_in == 2) return "down two trees, piece by piece" + folding;
        if (size_ > 4 && *fewest_out == 0 && *most_out == 2) return "up two trees, piece by piece" + folding;
        return same_ways(begin, end, *most_out) + ", again and again" + folding;
    }
    /// "to the ranks 1, 2, 4 further on" where that is so of all of them.
    std::string same_ways(std::size_t begin, std::size_t end, std::size_t most_out) const {
        std::vector<std::set<rank_type>> on(static_cast<std::size_t>(size_));
        for (std::size_t k = begin; k < end; ++k)
            for (const told_message& m : rounds_[k].messages)
                on[static_cast<std::size_t>(m.from)].insert(mod(m.to - m.from, size_));
        if (most_out > 6 || std::adjacent_find(on.begin(), on.end(), [](const auto& a, const auto& b) {
                                return a != b;
                            }) != on.end())
            return most_out == 1 ? "each to one rank"
                                 : "each to up to " + std::to_string(most_out) + " ranks";
        std::string text = most_out == 1 ? "to the rank " : "to the ranks ";
        for (const rank_type distance : on.front())
            text.append(distance == *on.front().begin() ? "" : ", ").append(std::to_string(distance));
        return text + " further on";
    }
    std::string folding_words(std::size_t begin, std::size_t end) const {
        std::size_t messages = 0;
        std::size_t folds = 0;
        for (std::size_t k = begin; k < end; ++k) {
            messages += rounds_[k].messages.size();
            folds += rounds_[k].folds;
        }
        return folds == 0 ? "" : folds == messages ? ", folding" : ", some folding";
    }

    // ---- Ranks beyond a power of two ----------------------------------------------------------------------

    struct extra_ranks {
        std::size_t begin; ///< of the rounds in which the others are among themselves
        std::size_t end;
        std::size_t count = 0;
    };
    /// The ranks that only hand in at first and are given the result at last: the longest part with the same
    /// ranks leaves them out, and all before and behind is with them.
    extra_ranks find_extra() const {
        const extra_ranks none{0, rounds_.size()};
        std::size_t begin = 0;
        std::size_t length = 0;
        const auto better = [&](std::size_t k, std::size_t n) {
            if (n != length) return n > length;
            const std::size_t now = rounds_[begin].active.size();
            return rounds_[k].active.size() != now ? rounds_[k].active.size() > now : begin == 0;
        };
        for (std::size_t k = 0; k < rounds_.size();) {
            std::size_t end = k + 1;
            while (end < rounds_.size() && rounds_[end].active == rounds_[k].active) ++end;
            if (rounds_[k].active.size() > 1 && better(k, end - k)) begin = k, length = end - k;
            k = end;
        }
        if (length == 0) return none;
        const std::vector<rank_type>& core = rounds_[begin].active;
        const std::size_t extra = static_cast<std::size_t>(size_) - core.size();
        const auto is_core = [&](rank_type r) { return std::binary_search(core.begin(), core.end(), r); };
        const auto with_extra = [&](std::size_t k) {
            const auto& m = rounds_[k].messages;
            return !m.empty() && std::all_of(m.begin(), m.end(), [&](const told_message& one) {
                return !is_core(one.from) || !is_core(one.to);
            });
        };
        const auto among_core = [&](std::size_t k) {
            return std::all_of(rounds_[k].active.begin(), rounds_[k].active.end(), is_core);
        };
        std::size_t end = begin + length;
        while (end < rounds_.size() && among_core(end)) ++end;
        if (begin == 0 || extra == 0 || extra > core.size()) return none;
        for (std::size_t k = 0; k < begin; ++k)
            if (!with_extra(k)) return none;
        for (std::size_t k = end; k < rounds_.size(); ++k)
            if (!with_extra(k)) return none;
        return {begin, end, extra};
    }

    // ---- Everything else ----------------------------------------------------------------------------------

    /// The longest first part of these rounds, all of one kind, in which messages get never longer, or never
    /// shorter, than in the round before.
    std::pair<std::size_t, std::string> leading_volumes(std::size_t begin, std::size_t end) const {
        const auto longest = [&](std::size_t k) { return rounds_[k].longest; };
        std::size_t reached = begin + 1;
        int direction = 0;
        block_index low = longest(begin);
        block_index high = low;
        for (std::size_t k = begin; k < end; ++k) {
            low = std::min(low, longest(k));
            high = std::max(high, longest(k));
        }
        if (end - begin > 2 && high < 2 * low) return {end, steady_words(begin, end)};
        for (; reached < end; ++reached) {
            const int now =
                (longest(reached) > longest(reached - 1)) - (longest(reached) < longest(reached - 1));
            if (now != 0 && direction != 0 && now != direction) break;
            if (now != 0) direction = now;
        }
        // Copies that get shorter spread nothing: there the distances tell more.
        if (direction == 0 || (direction < 0 && rounds_[begin].what() == kind::copies))
            return {reached, steady_words(begin, reached)};
        const double first = static_cast<double>(std::max<block_index>(longest(begin), 1));
        const double last = static_cast<double>(std::max<block_index>(longest(reached - 1), 1));
        const double twofold = std::max(first / last, last / first) / std::exp2(reached - begin - 1);
        if (twofold < 0.5 || twofold > 1.5)
            return {
                reached,
                std::string(direction < 0 ? "ever shorter messages, from " : "ever longer messages, from ")
                    + volume_text(begin) + (in_bytes_ ? " byte" : " block")
                    + (rounds_[begin].longest_volume == 1 ? " to " : "s to ") + volume_text(reached - 1)};
        if (direction > 0 && reached + 1 == end) ++reached; // the last one brings what is left
        return {reached, direction < 0 ? "halving" : "doubling"};
    }

    std::string volume_text(std::size_t k) const {
        const std::int64_t volume = rounds_[k].longest_volume;
        return in_bytes_ ? typed_number(volume) : std::to_string(volume);
    }

    /// Rounds of messages that stay as long as they are: by where they go.
    std::string steady_words(std::size_t begin, std::size_t end) const {
        const std::string folding = folding_words(begin, end);
        if (end - begin == 1) return ways_words(begin, end) + folding;
        const std::vector<rank_type>& who = rounds_[begin].active;
        const bool same_ranks = std::all_of(rounds_.begin() + static_cast<std::ptrdiff_t>(begin),
                                            rounds_.begin() + static_cast<std::ptrdiff_t>(end),
                                            [&](const told_round& r) { return r.active == who; });
        const rank_type count = same_ranks ? static_cast<rank_type>(who.size()) : size_;
        const auto number = [&](rank_type r) { // among those that take part, where they are always the same
            return same_ranks
                       ? static_cast<rank_type>(std::lower_bound(who.begin(), who.end(), r) - who.begin())
                       : r;
        };
        std::vector<rank_type> distances; // of the permutations, where all rounds are some
        for (std::size_t k = begin; k < end; ++k) {
            const std::string name = permutation_name(rounds_[k].messages, count, number);
            if (!name.empty())
                distances.push_back(static_cast<rank_type>(std::stoi(name.substr(name.find(':') + 1))));
        }
        if (distances.size() == end - begin) {
            const auto every = [&](auto&& holds) {
                return std::adjacent_find(distances.begin(), distances.end(),
                                          [&](rank_type a, rank_type b) { return !holds(a, b); })
                       == distances.end();
            };
            if (every([](rank_type a, rank_type b) { return a == b; })
                && (distances[0] == 1 || distances[0] == count - 1))
                return "round the ring" + folding;
            const auto twice = [&](rank_type a, rank_type b) {
                return b == 2 * a || count - b == 2 * (count - a);
            };
            if (every(twice)) return "ever farther, by twice the distance" + folding;
            if (every([&](rank_type a, rank_type b) { return twice(b, a); }))
                return "ever nearer, by half the distance" + folding;
            const std::set<rank_type> different(distances.begin(), distances.end());
            if (different.size() == distances.size()) return "to one rank after another" + folding;
        }
        return ways_words(begin, end) + folding;
    }

    /// Of rounds that have nothing else in common: how many ranks exchange with each other, or how many
    /// messages there are, and how far they go.
    std::string ways_words(std::size_t begin, std::size_t end) const {
        told_distance apart(size_);
        std::size_t most = 0;
        bool in_groups = true; // whose ranks all send to each other
        const auto everybody = static_cast<std::size_t>(size_);
        std::size_t smallest = everybody;
        std::size_t largest = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const told_round& round = rounds_[k];
            most = std::max(most, round.messages.size());
            std::map<rank_type, std::set<rank_type>> meets; // a rank, and whom it sends to, itself, too
            for (const told_message& m : round.messages) {
                apart.add(m);
                meets[m.from].insert({m.from, m.to});
            }
            std::map<std::set<rank_type>, std::size_t> sharing; // such a set, and how many ranks have it
            for (const auto& [rank, ranks] : meets) ++sharing[ranks];
            for (const auto& [ranks, count] : sharing) {
                // Each of them is in the set: where they are as many as its members, they are its members.
                in_groups = in_groups && count == ranks.size();
                smallest = std::min(smallest, ranks.size());
                largest = std::max(largest, ranks.size());
            }
        }
        if (in_groups) {
            if (largest == 2) return "in pairs";
            if (smallest == everybody) return "everybody with everybody";
            return "everybody with everybody in groups of up to " + std::to_string(largest);
        }
        const bool one_round = end - begin == 1;
        if (most == 1) return one_round ? "one message" : "one message a round";
        const std::string text = std::to_string(most) + " messages";
        return (one_round ? text : "up to " + text + " a round") + ", " + apart.text();
    }

    const std::vector<told_round>& rounds_;
    rank_type size_;
    bool in_bytes_;
    std::vector<round_phase> phases_;
};

/// The phases in order; every round is in one. What they say of volumes is in blocks, or in bytes.
inline std::vector<round_phase> phases_of(const std::vector<told_round>& rounds, rank_type size,
                                          bool in_bytes) {
    return phase_finder(rounds, size, in_bytes).find();
}

} // namespace tutti::detail
