// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <tutti/topology/fat_tree.hpp>

namespace tutti::detail {

/// Looks for ports c_1..c_{level + 1} for messages such that no link up to level `level` + 1 carries two, by
/// repairing: all get the ports that look best, one after the other; then, move by move, one of those that
/// share a link takes the ports that leave the fewest shared, but not those it had lately. Finds an answer
/// where ascent_search loses its way, in trees whose links are all needed; never learns that there is none.
///
/// Deterministic. A move costs O(messages * level + ways of the messages in conflict * level). Memory: 8
/// bytes per message and way. Source: Hertz and de Werra 1987, "Using tabu search techniques for graph
/// coloring".
class ascent_repair {
public:
    ascent_repair(const fat_tree& tree, std::span<const node_message> messages, int level)
        : tree_(tree), messages_(messages), planes_(messages.size(), 0),
          loads_(static_cast<std::size_t>(tree.links()), 0) {
        for (const node_message& m : messages) {
            climb_.push_back(std::min(tree.height(m.from, m.to), level + 1));
            barred_.emplace_back(static_cast<std::size_t>(tree.planes(climb_.back())), 0);
        }
        for (std::size_t m = 0; m < messages.size(); ++m) {
            std::int64_t best = most;
            link_index choice = 0;
            for (link_index way = 0; way < ways(m); ++way)
                if (const std::int64_t others = sharing(m, way); others < best) {
                    best = others;
                    choice = way;
                }
            put(m, choice);
        }
    }

    /// Whether no link is shared after so many moves.
    bool run(std::int64_t moves) {
        for (std::int64_t now = 1;; ++now) {
            find_conflicts();
            if (conflicts_.empty()) return true;
            if (now > moves) return false;
            move(now);
        }
    }

    /// The ports of a message, packed as fat_tree packs them.
    link_index plane(std::size_t message) const noexcept { return planes_[message]; }

private:
    static constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

    link_index ways(std::size_t m) const noexcept { return static_cast<link_index>(barred_[m].size()); }

    template <class Visit>
    void visit_links(std::size_t m, link_index way, const Visit& visit) {
        for (int l = 0; l < climb_[m]; ++l) {
            const link_index ports = way % tree_.planes(l + 1);
            visit(loads_[static_cast<std::size_t>(
                tree_.up_link(l, tree_.subtree(messages_[m].from, l), ports))]);
            visit(loads_[static_cast<std::size_t>(
                tree_.down_link(l, tree_.subtree(messages_[m].to, l), ports))]);
        }
    }

    void put(std::size_t m, link_index way) {
        planes_[m] = way;
        visit_links(m, way, [](std::int32_t& load) { ++load; });
    }
    void take_off(std::size_t m) {
        visit_links(m, planes_[m], [](std::int32_t& load) { --load; });
    }
    /// Other messages on the links of that way, if `m` itself is taken off.
    std::int64_t sharing(std::size_t m, link_index way) {
        std::int64_t others = 0;
        visit_links(m, way, [&](std::int32_t& load) { others += load; });
        return others;
    }

    void find_conflicts() {
        conflicts_.clear();
        for (std::size_t m = 0; m < messages_.size(); ++m) {
            bool shares = false;
            visit_links(m, planes_[m], [&](std::int32_t& load) { shares = shares || load > 1; });
            if (shares) conflicts_.push_back(m);
        }
    }

    void move(std::int64_t now) {
        std::int64_t best = most;
        std::size_t who = 0;
        link_index where = 0;
        std::uint64_t ties = 0;
        for (const std::size_t m : conflicts_) {
            take_off(m);
            const std::int64_t before = sharing(m, planes_[m]);
            for (link_index way = 0; way < ways(m); ++way) {
                if (way == planes_[m] || barred_[m][static_cast<std::size_t>(way)] >= now) continue;
                const std::int64_t change = sharing(m, way) - before;
                if (change < best) {
                    best = change;
                    ties = 0;
                }
                if (change == best && random(++ties) == 0) {
                    who = m;
                    where = way;
                }
            }
            put(m, planes_[m]);
        }
        if (ties == 0) return; // all barred for now
        // Longer while much is in conflict: else the same few go round in circles.
        barred_[who][static_cast<std::size_t>(planes_[who])] =
            now + static_cast<std::int64_t>(random(10) + conflicts_.size() * 3 / 5);
        take_off(who);
        put(who, where);
    }

    /// 0..below - 1. Its own generator: the ports found are the same on every platform.
    std::uint64_t random(std::uint64_t below) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return (state_ >> 33) % below;
    }

    const fat_tree& tree_;
    std::span<const node_message> messages_;
    std::vector<link_index> planes_;
    std::vector<std::int32_t> loads_;               // of every link
    std::vector<int> climb_;                        // so many ports are looked for
    std::vector<std::vector<std::int64_t>> barred_; // up to which move a message may not take a way again
    std::vector<std::size_t> conflicts_;            // messages that share a link
    std::uint64_t state_ = 1;
};

} // namespace tutti::detail
