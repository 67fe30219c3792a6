// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/rank.hpp>

/// Rounds of messages, and whether they go along a tree.
namespace tutti::detail {

struct told_message {
    rank_type from = 0;
    rank_type to = 0;
    block_index blocks = 0;
    std::int64_t volume = 0; ///< what is said of it: blocks, or bytes
};

/// What is sent in one round.
struct told_round {
    std::vector<told_message> messages{}; ///< by sender
    std::size_t folds = 0;                ///< of them
    std::vector<rank_type> active{};      ///< who sends or receives, in order
    block_index longest = 0;              ///< blocks of the longest message
    std::int64_t longest_volume = 0;      ///< what is said of it

    enum class kind { idle, copies, folds, both };
    kind what() const noexcept {
        return messages.empty()           ? kind::idle
               : folds == 0               ? kind::copies
               : folds == messages.size() ? kind::folds
                                          : kind::both;
    }
    void add(const told_message& m, bool folded) {
        messages.push_back(m);
        folds += folded;
    }
    /// After the last message.
    void close() {
        for (const told_message& m : messages) {
            longest = std::max(longest, m.blocks);
            longest_volume = std::max(longest_volume, m.volume);
            active.insert(active.end(), {m.from, m.to});
        }
        std::sort(active.begin(), active.end());
        active.erase(std::unique(active.begin(), active.end()), active.end());
    }
};

/// How far messages go, round the circle of all ranks.
class told_distance {
public:
    explicit told_distance(rank_type size) : size_(size), nearest_(size) {}
    void add(const told_message& m) {
        const rank_type apart = std::abs(m.to - m.from);
        const rank_type round_circle = std::min(apart, static_cast<rank_type>(size_ - apart));
        nearest_ = std::min(nearest_, round_circle);
        farthest_ = std::max(farthest_, round_circle);
    }
    /// 0 before the first message.
    rank_type farthest() const noexcept { return farthest_; }
    /// "1..4 apart", "2 apart".
    std::string text() const {
        return (nearest_ == farthest_ ? "" : std::to_string(nearest_) + "..") + std::to_string(farthest_)
               + " apart";
    }

private:
    rank_type size_;
    rank_type nearest_;
    rank_type farthest_ = 0;
};

/// As many edges as a tree has: is it one, or is there a circle?
inline bool rooted(const std::vector<rank_type>& parent, const std::set<rank_type>& ranks) {
    std::vector<rank_type> seen_from(parent.size(), no_rank); // whose way up has come by
    rank_type root = no_rank;
    for (const rank_type start : ranks) {
        rank_type r = start;
        while (parent[static_cast<std::size_t>(r)] != no_rank) {
            rank_type& seen = seen_from[static_cast<std::size_t>(r)];
            if (seen == start) return false;
            if (seen != no_rank) break; // goes on as that one did
            seen = start;
            r = parent[static_cast<std::size_t>(r)];
        }
        if (parent[static_cast<std::size_t>(r)] != no_rank) continue;
        if (root != no_rank && r != root) return false;
        root = r;
    }
    return root != no_rank;
}

inline std::string tree_words(const std::vector<rank_type>& parent, const std::set<rank_type>& ranks, bool up,
                              bool pieces) {
    std::vector<std::size_t> children(parent.size(), 0);
    std::size_t most = 0;
    rank_type root = no_rank;
    for (const rank_type r : ranks) {
        const rank_type above = parent[static_cast<std::size_t>(r)];
        if (above == no_rank)
            root = r;
        else
            most = std::max(most, ++children[static_cast<std::size_t>(above)]);
    }
    std::string words = most == 1 ? "along the chain" : up ? "up the tree" : "down the tree";
    if (most + 1 == ranks.size())
        words = up ? "all to rank " + std::to_string(root) : "rank " + std::to_string(root) + " to all";
    return pieces ? words + ", piece by piece" : words;
}

/// The longest first part of these rounds whose messages go along one tree of all that take part in them,
/// each rank to its parent only or from it only: where it ends, `begin` if nowhere, and its words.
inline std::pair<std::size_t, std::string> leading_tree(const std::vector<told_round>& rounds, rank_type size,
                                                        std::size_t begin, std::size_t end) {
    std::set<rank_type> ranks;
    for (std::size_t k = begin; k < end; ++k) ranks.insert(rounds[k].active.begin(), rounds[k].active.end());
    std::pair<std::size_t, std::string> found{begin, ""};
    if (ranks.size() < 3) return found;
    for (const bool up : {true, false}) {
        std::vector<rank_type> parent(static_cast<std::size_t>(size), no_rank);
        std::size_t edges = 0;
        std::size_t messages = 0;
        bool consistent = true;
        for (std::size_t k = begin; k < end && consistent; ++k) {
            for (const told_message& m : rounds[k].messages) {
                rank_type& above = parent[static_cast<std::size_t>(up ? m.from : m.to)];
                const rank_type other = up ? m.to : m.from;
                edges += above == no_rank;
                consistent = consistent && (above == no_rank || above == other);
                above = other;
            }
            messages += rounds[k].messages.size();
            if (consistent && k + 1 > found.first && edges + 1 == ranks.size() && rooted(parent, ranks))
                found = {k + 1, tree_words(parent, ranks, up, messages > edges)};
        }
    }
    return found;
}

} // namespace tutti::detail
