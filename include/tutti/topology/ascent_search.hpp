// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tutti/topology/fat_tree.hpp>

namespace tutti::detail {

/// Looks for ports c_1..c_{level + 1} for messages such that no link up to level `level` + 1 carries two, by
/// trying: next comes the message with the fewest ways left, and a dead end takes the last choice back. Ports
/// that no message has used yet are alike, so only the first of them is tried.
///
/// There is no quick way in general. If only w_2 > 1, the ports are colours for paths in a tree whose edges
/// carry as many paths as there are colours in each direction, which is NP-hard (Erlebach and Jansen 2001,
/// "The complexity of path coloring and call scheduling").
///
/// Memory: a byte per message and way. A choice costs O(messages + ways * level).
class ascent_search {
public:
    enum class outcome : std::uint8_t { found, impossible, undecided };

    ascent_search(const fat_tree& tree, std::span<const node_message> messages, int level)
        : tree_(tree), planes_(messages.size(), 0), assigned_(messages.size(), false) {
        for (int l = 0; l <= level; ++l) {
            first_group_.push_back(groups_.size());
            groups_.resize(groups_.size() + 2 * static_cast<std::size_t>(tree.subtrees(l)));
            used_.emplace_back(static_cast<std::size_t>(tree.planes(l + 1)), 0);
        }
        std::size_t ways = 0;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const node_message& m = messages[i];
            const int climb = std::min(tree.height(m.from, m.to), level + 1);
            ends_.push_back(
                {.from = m.from, .to = m.to, .climb = climb, .first_way = ways, .open = tree.planes(climb)});
            ways += static_cast<std::size_t>(tree.planes(climb));
            if (climb == 0) assigned_[i] = true;
            for (int l = 0; l < climb; ++l)
                for (const std::size_t g : groups_of(ends_.back(), l)) groups_[g].push_back(i);
        }
        blocked_.assign(ways, 0);
    }

    /// Gives up after `effort` choices.
    outcome run(std::int64_t effort) {
        std::vector<std::size_t> choices;
        for (std::size_t m = next_message(); m != nothing; m = next_message()) {
            link_index way = next_way(m, 0);
            while (way == no_way) {
                if (choices.empty()) return outcome::impossible;
                m = choices.back();
                choices.pop_back();
                way = planes_[m];
                take_back(m);
                way = next_way(m, way + 1);
            }
            if (effort-- <= 0) return outcome::undecided;
            choose(m, way);
            choices.push_back(m);
        }
        return outcome::found;
    }

    /// The ports found for a message, packed as fat_tree packs them.
    link_index plane(std::size_t message) const noexcept { return planes_[message]; }

private:
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
    static constexpr link_index no_way = -1;

    struct ends {
        node_type from = 0;
        node_type to = 0;
        int climb = 0; // so many ports are looked for
        std::size_t first_way = 0;
        link_index open = 0; // ways on which no other message is
    };

    /// Messages that share the links above a subtree: those that leave it, and those that enter it.
    std::array<std::size_t, 2> groups_of(const ends& e, int l) const {
        const std::size_t first = first_group_[static_cast<std::size_t>(l)];
        return {first + 2 * static_cast<std::size_t>(tree_.subtree(e.from, l)),
                first + 2 * static_cast<std::size_t>(tree_.subtree(e.to, l)) + 1};
    }

    std::size_t next_message() const {
        std::size_t best = nothing;
        for (std::size_t m = 0; m < ends_.size(); ++m)
            if (!assigned_[m] && (best == nothing || ends_[m].open < ends_[best].open)) best = m;
        return best;
    }

    link_index next_way(std::size_t m, link_index way) const {
        const ends& e = ends_[m];
        for (; way < tree_.planes(e.climb); ++way)
            if (blocked_[e.first_way + static_cast<std::size_t>(way)] == 0 && first_of_its_kind(way, e.climb))
                return way;
        return no_way;
    }

    /// Whether no way before this one differs from it only by names of ports that nobody uses. Choices are
    /// taken back last first, so among the ports of a switch those in use are always the first ones.
    bool first_of_its_kind(link_index way, int climb) const {
        for (int l = 1; l <= climb; ++l) {
            const std::vector<std::int32_t>& used = used_[static_cast<std::size_t>(l - 1)];
            const link_index ports = way % tree_.planes(l);
            if (used[static_cast<std::size_t>(ports)] > 0) continue;
            const link_index before = ports - tree_.planes(l - 1);
            return way == ports && (before < 0 || used[static_cast<std::size_t>(before)] > 0);
        }
        return true;
    }

    void choose(std::size_t m, link_index way) {
        planes_[m] = way;
        assigned_[m] = true;
        account(m, 1);
    }
    void take_back(std::size_t m) {
        account(m, -1);
        assigned_[m] = false;
        planes_[m] = 0;
    }

    /// Blocks the ways of other messages over links that `m` takes, or unblocks them.
    void account(std::size_t m, int change) {
        for (int l = 0; l < ends_[m].climb; ++l) {
            const link_index step = tree_.planes(l + 1);
            const link_index ports = planes_[m] % step;
            used_[static_cast<std::size_t>(l)][static_cast<std::size_t>(ports)] += change;
            for (const std::size_t g : groups_of(ends_[m], l))
                for (const std::size_t other : groups_[g]) {
                    if (other == m) continue;
                    ends& e = ends_[other];
                    for (link_index way = ports; way < tree_.planes(e.climb); way += step) {
                        std::uint8_t& blocks = blocked_[e.first_way + static_cast<std::size_t>(way)];
                        const bool was_open = blocks == 0;
                        blocks = static_cast<std::uint8_t>(blocks + change); // two per level at most
                        if (was_open != (blocks == 0)) e.open += was_open ? -1 : 1;
                    }
                }
        }
    }

    const fat_tree& tree_;
    std::vector<link_index> planes_;
    std::vector<bool> assigned_;
    std::vector<ends> ends_;
    std::vector<std::size_t> first_group_; // of each level
    std::vector<std::vector<std::size_t>> groups_;
    std::vector<std::vector<std::int32_t>> used_; // messages with each choice of ports c_1..c_{l + 1}
    std::vector<std::uint8_t> blocked_;           // messages in the way, of each message and way
};

} // namespace tutti::detail
