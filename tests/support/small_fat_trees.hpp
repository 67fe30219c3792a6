// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <tutti/topology/fat_tree.hpp>

// Fat-trees so small that every choice of ports can be tried, and that trial.

namespace support {

inline std::string name_of(const tutti::fat_tree& tree) {
    std::string m;
    std::string w;
    for (int l = 1; l <= tree.levels(); ++l) {
        m += (l > 1 ? "," : "") + std::to_string(tree.children(l));
        w += (l > 1 ? "," : "") + std::to_string(tree.parents(l));
    }
    return "XGFT(" + std::to_string(tree.levels()) + "; " + m + "; " + w + ")";
}

inline std::vector<tutti::fat_tree> small_full_trees() {
    using tutti::fat_tree;
    return {fat_tree::kary(2, 1), fat_tree::kary(2, 2),     fat_tree::kary(2, 3),
            fat_tree::kary(3, 2), fat_tree({2, 3}, {1, 2}), fat_tree({2, 2, 2}, {1, 3, 2})};
}

/// Some slimmed at several levels, some with two ports per node.
inline std::vector<tutti::fat_tree> small_slimmed_trees() {
    using tutti::fat_tree;
    return {fat_tree({2, 2}, {1, 1}),       fat_tree({3, 3}, {1, 2}),
            fat_tree({2, 2, 2}, {1, 2, 1}), fat_tree({2, 3, 2}, {1, 2, 1}),
            fat_tree({2, 2, 2}, {1, 1, 2}), fat_tree({3, 2, 2}, {1, 2, 2}),
            fat_tree({2, 2, 3}, {1, 2, 1}), fat_tree({2, 2, 2}, {2, 1, 1}),
            fat_tree({2, 2, 2}, {2, 2, 1}), fat_tree({2, 2, 2, 2}, {1, 2, 1, 1})};
}

/// Some messages of a random permutation, and a few more where nodes have two ports.
inline std::vector<tutti::node_message> some_messages(const tutti::fat_tree& tree, std::mt19937& random) {
    std::vector<tutti::node_type> to(static_cast<std::size_t>(tree.nodes()));
    std::iota(to.begin(), to.end(), 0);
    std::shuffle(to.begin(), to.end(), random);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
    const std::size_t kept = 1 + below(to.size());
    std::vector<tutti::node_message> messages;
    for (std::size_t from = 0; from < to.size(); ++from) {
        const auto node = static_cast<tutti::node_type>(from);
        if (below(to.size()) < kept) messages.push_back({.from = node, .to = to[from]});
        if (tree.parents(1) > 1 && below(2) == 0)
            messages.push_back({.from = node, .to = static_cast<tutti::node_type>(below(to.size()))});
    }
    if (messages.size() > 8) messages.resize(8); // what can be tried
    return messages;
}

/// Tries every choice of ports that leaves the up links to one message each.
class every_ascent {
public:
    every_ascent(const tutti::fat_tree& tree, const std::vector<tutti::node_message>& messages)
        : tree_(tree), messages_(messages), load_(static_cast<std::size_t>(tree.links()), 0) {
        choose(0);
    }

    bool exists() const { return worst_ >= 0; }   ///< all found free up links
    std::int64_t best() const { return best_; }   ///< load of the busiest down link in the best case
    std::int64_t worst() const { return worst_; } ///< and in the worst

private:
    std::int64_t& up(const tutti::node_message& m, int l, tutti::link_index plane) {
        return load_[static_cast<std::size_t>(
            tree_.up_link(l, tree_.subtree(m.from, l), plane % tree_.planes(l + 1)))];
    }
    std::int64_t& down(const tutti::node_message& m, int l, tutti::link_index plane) {
        return load_[static_cast<std::size_t>(
            tree_.down_link(l, tree_.subtree(m.to, l), plane % tree_.planes(l + 1)))];
    }
    void choose(std::size_t i) {
        if (i == messages_.size()) {
            // Links that go up carry one at most here.
            const std::int64_t most = *std::max_element(load_.begin() + tree_.links() / 2, load_.end());
            best_ = worst_ < 0 ? most : std::min(best_, most);
            worst_ = std::max(worst_, most);
            return;
        }
        const tutti::node_message& m = messages_[i];
        const int height = tree_.height(m.from, m.to);
        for (tutti::link_index plane = 0; plane < tree_.planes(height); ++plane) {
            bool all_free = true;
            for (int l = 0; l < height; ++l) all_free = all_free && up(m, l, plane) == 0;
            if (!all_free) continue;
            for (int l = 0; l < height; ++l) ++up(m, l, plane), ++down(m, l, plane);
            choose(i + 1);
            for (int l = 0; l < height; ++l) --up(m, l, plane), --down(m, l, plane);
        }
    }

    const tutti::fat_tree& tree_;
    const std::vector<tutti::node_message>& messages_;
    std::vector<std::int64_t> load_;
    std::int64_t best_ = -1;
    std::int64_t worst_ = -1;
};

} // namespace support
