// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <tutti/render/symbolic_run.hpp>

namespace tutti::detail {

/// The tree that the messages of a schedule make, if they do: every two ranks that talk are parent and child,
/// and there are no circles. Reductions and broadcasts by trees do, and what is made of the two.
class message_tree {
public:
    /// What goes over one edge in one direction.
    struct way {
        std::vector<round_index> rounds{};
        bool folds = false;
        const movement* last = nullptr;
    };
    struct node {
        rank_type parent = no_rank;
        int depth = 0;
        std::vector<rank_type> children{}; ///< by the rounds of their messages
        way up{};
        way down{};
    };

    explicit message_tree(const symbolic_run& run) : nodes_(static_cast<std::size_t>(run.size())) {
        std::map<std::pair<rank_type, rank_type>, way> ways;
        std::vector<std::vector<rank_type>> peers(nodes_.size()); // in the order of their first messages
        for (round_index i = 0; i < run.rounds(); ++i)
            for (const movement& m : run.movements(i)) {
                if (m.local()) continue;
                auto& known = peers[index(m.from)];
                if (std::find(known.begin(), known.end(), m.to) == known.end()) {
                    known.push_back(m.to);
                    peers[index(m.to)].push_back(m.from);
                    ++edges_;
                }
                way& w = ways[{m.from, m.to}];
                w.rounds.push_back(i);
                w.folds = m.folds;
                w.last = &m;
            }
        if (edges_ + 1 != nodes_.size() || edges_ == 0) return;
        root_ = top_of(run);
        std::vector<rank_type> reached{root_};
        for (std::size_t k = 0; k < reached.size(); ++k) {
            const rank_type r = reached[k];
            for (const rank_type child : peers[index(r)]) {
                if (child == nodes_[index(r)].parent) continue;
                if (reached.size() == nodes_.size()) return; // a circle
                node& c = nodes_[index(child)];
                c.parent = r;
                c.depth = nodes_[index(r)].depth + 1;
                depth_ = std::max(depth_, c.depth);
                if (const auto up = ways.find({child, r}); up != ways.end()) c.up = up->second;
                if (const auto down = ways.find({r, child}); down != ways.end()) c.down = down->second;
                nodes_[index(r)].children.push_back(child);
                reached.push_back(child);
            }
        }
        exists_ = reached.size() == nodes_.size();
    }

    bool exists() const noexcept { return exists_; }
    /// Few levels for its size: that is what makes a tree a figure, and not a line.
    bool flat() const noexcept { return depth_ <= 7 && (nodes_.size() > 2); }
    rank_type root() const noexcept { return root_; }
    int depth() const noexcept { return depth_; }
    const node& operator[](rank_type r) const noexcept { return nodes_[index(r)]; }

private:
    static std::size_t index(rank_type r) noexcept { return static_cast<std::size_t>(r); }

    /// The rank at which all folds end; the root where nothing is folded.
    static rank_type top_of(const symbolic_run& run) {
        std::vector<bool> passes_on(static_cast<std::size_t>(run.size()));
        bool any = false;
        for (round_index i = 0; i < run.rounds(); ++i)
            for (const movement& m : run.movements(i))
                if (m.folds && !m.local()) passes_on[index(m.from)] = any = true;
        const auto top = std::find(passes_on.begin(), passes_on.end(), false);
        return any && top != passes_on.end() ? static_cast<rank_type>(top - passes_on.begin()) : run.root();
    }

    std::vector<node> nodes_;
    std::size_t edges_ = 0;
    rank_type root_ = 0;
    int depth_ = 0;
    bool exists_ = false;
};

} // namespace tutti::detail
