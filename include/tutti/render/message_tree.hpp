// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/render/contributions.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/symbolic_run.hpp>

namespace tutti::detail {

/// The tree that the messages of a schedule make, if they do: every two ranks that talk are parent and child,
/// and there are no circles. Reductions and broadcasts by trees do, and what is made of the two.
class message_tree {
public:
    struct message {
        rank_type from = 0;
        rank_type to = 0;
        round_index round = 0;
        bool folds = false;
    };
    /// What goes over one edge in one direction.
    struct way {
        std::vector<round_index> rounds{};
        bool folds = false;
        std::size_t last = 0; ///< message

        /// "2", "0–3", "0,2"
        std::string text() const {
            rank_set intervals;
            for (const round_index i : rounds)
                intervals = united(intervals, {{static_cast<rank_type>(i), static_cast<rank_type>(i)}});
            return text_of(intervals);
        }
    };
    struct node {
        rank_type parent = no_rank;
        int depth = 0;
        std::vector<rank_type> children{}; ///< by the rounds of their messages
        way up{};
        way down{};
    };

    /// Of the messages of a schedule, by rounds.
    message_tree(rank_type size, rank_type root, const std::vector<message>& messages)
        : nodes_(static_cast<std::size_t>(size)) {
        std::map<std::pair<rank_type, rank_type>, way> ways;
        std::vector<std::vector<rank_type>> peers(nodes_.size()); // in the order of their first messages
        for (std::size_t k = 0; k < messages.size(); ++k) {
            const message& m = messages[k];
            auto& known = peers[index(m.from)];
            if (std::find(known.begin(), known.end(), m.to) == known.end()) {
                known.push_back(m.to);
                peers[index(m.to)].push_back(m.from);
                ++edges_;
            }
            way& w = ways[{m.from, m.to}];
            w.rounds.push_back(m.round);
            w.folds = m.folds;
            w.last = k;
        }
        if (edges_ + 1 != nodes_.size() || edges_ == 0) return;
        root_ = top_of(root, messages);
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
    rank_type top_of(rank_type root, const std::vector<message>& messages) const {
        std::vector<bool> passes_on(nodes_.size());
        bool any = false;
        for (const message& m : messages)
            if (m.folds) passes_on[index(m.from)] = any = true;
        const auto top = std::find(passes_on.begin(), passes_on.end(), false);
        return any && top != passes_on.end() ? static_cast<rank_type>(top - passes_on.begin()) : root;
    }

    std::vector<node> nodes_;
    std::size_t edges_ = 0;
    rank_type root_ = 0;
    int depth_ = 0;
    bool exists_ = false;
};

/// Whether it is drawn as a tree. Throws argument_error for schedule_picture::tree of what is no tree.
inline bool drawn_as_tree(const message_tree& tree, schedule_picture how) {
    if (how == schedule_picture::tree && !tree.exists())
        throw argument_error("picture", "tree", "tree where the messages make one, else rounds");
    return how == schedule_picture::tree
           || (how == schedule_picture::fitting && tree.exists() && tree.flat());
}

/// What goes from rank to rank, by rounds.
inline std::vector<const movement*> messages_of(const symbolic_run& run) {
    std::vector<const movement*> list;
    for (round_index i = 0; i < run.rounds(); ++i)
        for (const movement& m : run.movements(i))
            if (!m.local()) list.push_back(&m);
    return list;
}

/// The tree of a run: its messages have the numbers that they have in messages_of().
inline message_tree tree_of(const symbolic_run& run) {
    std::vector<message_tree::message> messages;
    for (round_index i = 0; i < run.rounds(); ++i)
        for (const movement& m : run.movements(i))
            if (!m.local()) messages.push_back({.from = m.from, .to = m.to, .round = i, .folds = m.folds});
    return {run.size(), run.root(), messages};
}

} // namespace tutti::detail
