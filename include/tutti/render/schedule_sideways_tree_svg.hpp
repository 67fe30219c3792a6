// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/message_tree.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/rounds_told.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/schedule_tree_svg.hpp>

#if TUTTI_BODIES // of schedule_svg.hpp
namespace tutti::detail {

/// A tree of many ranks, from left to right: the root on the left, a row for every leaf. Edges have corners,
/// so that none runs behind a node or a word; rounds stand at the child's end. Subtrees of one parent that
/// are alike, the rounds of their messages too, are drawn once, with their number.
class sideways_tree_drawing {
public:
    sideways_tree_drawing(const symbolic_run& run, const message_tree& tree, const round_words& words,
                          const picture_heading& heading)
        : run_(run), told_(words, 0, run.rounds() - 1), tree_(tree), moves_(messages_of(run)),
          top_(heading_height(heading) + 60), both_ways_(any_both_ways()), row_(both_ways_ ? 30 : 22),
          root_(branch_of({tree.root()}, 0, false)), columns_(lay_out()),
          svg_(width(), bottom() + told_.height(), heading.title) {
        define_arrows(svg_);
        draw_heading(svg_, heading, width());
        draw_tree_legend(svg_, tree, run.size(), top_ - 36, legend());
        svg_.open("g", {{"class", "messages"}});
        draw_edges(root_);
        svg_.close();
        svg_.open("g", {{"class", "ranks"}});
        draw_nodes(root_);
        svg_.close();
        told_.draw(svg_, bottom());
    }
    std::string finish() && { return std::move(svg_).finish(); }

private:
    /// Ranks whose subtrees are alike; drawn is that of the first.
    struct branch {
        std::vector<rank_type> ranks;
        std::size_t depth;
        bool repeated; ///< part of what is drawn once for several
        std::vector<branch> children{};
        double y = 0;
        std::string label{};    ///< right of the node
        message_tree::way up{}; ///< of all ranks
        message_tree::way down{};

        rank_type first() const { return ranks.front(); }
    };

    /// Edges that are two lines need room for the rounds of both.
    bool any_both_ways() const {
        bool any = false;
        for (rank_type r = 0; r < run_.size(); ++r)
            any |= !tree_[r].up.rounds.empty() && !tree_[r].down.rounds.empty();
        return any;
    }
    std::string legend() const {
        return words_of_tree(run_)
               + (any_alike_ ? " × 3: 4–6 is one of three that are alike, ranks 4 to 6." : "");
    }

    /// A number that only subtrees have that are alike.
    int shape_of(rank_type r) {
        shape s;
        for (const rank_type child : tree_[r].children) {
            const message_tree::node& n = tree_[child];
            s.emplace_back(shape_of(child), n.up.text(), n.up.folds, n.down.text(), n.down.folds);
        }
        return shapes_.try_emplace(std::move(s), static_cast<int>(shapes_.size())).first->second;
    }
    bool alike(rank_type a, rank_type b) {
        const auto ways = [&](rank_type r) {
            const message_tree::node& n = tree_[r];
            return std::tuple(n.up.rounds.size(), n.up.folds, n.down.rounds.size(), n.down.folds);
        };
        return ways(a) == ways(b) && shape_of(a) == shape_of(b);
    }

    branch branch_of(std::vector<rank_type> ranks, std::size_t depth, bool repeated) {
        branch b{.ranks = std::move(ranks), .depth = depth, .repeated = repeated};
        for (const auto& [of_all, of_one] :
             {std::pair(&b.up, &message_tree::node::up), std::pair(&b.down, &message_tree::node::down)}) {
            std::set<round_index> rounds;
            for (const rank_type r : b.ranks) {
                const message_tree::way& w = tree_[r].*of_one;
                rounds.insert(w.rounds.begin(), w.rounds.end());
                of_all->folds = w.folds;
                of_all->last = w.last;
            }
            of_all->rounds.assign(rounds.begin(), rounds.end());
        }
        any_alike_ |= b.ranks.size() > 1;
        b.repeated = repeated || b.ranks.size() > 1;
        b.label = label_of(b);
        std::vector<std::vector<rank_type>> groups;
        for (const rank_type child : tree_[b.first()].children)
            if (!groups.empty() && alike(groups.back().front(), child))
                groups.back().push_back(child);
            else
                groups.push_back({child});
        for (std::vector<rank_type>& group : groups)
            b.children.push_back(branch_of(std::move(group), depth + 1, b.repeated));
        b.y = b.children.empty() ? row_ * (static_cast<double>(leaves_++) + 0.5)
                                 : (b.children.front().y + b.children.back().y) / 2;
        return b;
    }
    /// "× 15: 1–15", or whose parts it passes on.
    std::string label_of(const branch& b) const {
        if (b.ranks.size() > 1) {
            std::string ranks = text_of_ranks(b.ranks);
            if (ranks.size() > 24) // letters of several bytes, too
                ranks = std::to_string(b.ranks.front()) + " … " + std::to_string(b.ranks.back());
            return "× " + std::to_string(b.ranks.size()) + ": " + ranks;
        }
        return b.repeated ? "" : parts_passed_on(run_, tree_[b.first()], moves_);
    }
    static std::string text_of_ranks(const std::vector<rank_type>& ranks) {
        rank_set intervals;
        for (const rank_type r : ranks) intervals = united(intervals, {{r, r}});
        return text_of(intervals);
    }

    /// The middles of the nodes of each depth. Between two stand the label of the one, the corner of the
    /// edges and the rounds at the other.
    std::vector<double> lay_out() {
        measure(root_);
        std::vector<double> middles{24 + radius};
        for (std::size_t d = 0; d + 1 < room_.size(); ++d)
            middles.push_back(middles.back() + 2 * radius + corner + room_[d].label + room_[d + 1].rounds
                              + 28);
        return middles;
    }
    void measure(const branch& b) {
        if (room_.size() <= b.depth) room_.resize(b.depth + 1);
        // A leaf has all of its row to the right.
        double& label = b.children.empty() ? room_[b.depth].leaf_label : room_[b.depth].label;
        label = std::max(label, text_width(b.label, label_size));
        for (const message_tree::way* w : {&b.up, &b.down})
            if (!w->rounds.empty())
                room_[b.depth].rounds = std::max(room_[b.depth].rounds, text_width(w->text(), rounds_size));
        for (const branch& child : b.children) measure(child);
    }
    double bottom() const { return top_ + row_ * static_cast<double>(leaves_) + 24; }
    double width() const {
        double widest = std::max({640.0, 48 + text_width(legend(), 11), told_.width()});
        for (std::size_t d = 0; d < room_.size(); ++d)
            widest =
                std::max(widest, columns_[d] + radius + std::max(room_[d].leaf_label, room_[d].label) + 30);
        return widest;
    }

    double x(const branch& b) const { return columns_[b.depth]; }
    double y(const branch& b) const { return top_ + b.y; }

    void draw_edges(const branch& parent) {
        for (const branch& child : parent.children) {
            const double aside = !child.up.rounds.empty() && !child.down.rounds.empty() ? 2.5 : 0;
            if (!child.up.rounds.empty()) draw_way(parent, child, true, -aside);
            if (!child.down.rounds.empty()) draw_way(parent, child, false, aside);
            draw_edges(child);
        }
    }
    /// Level, up or down at the corner, level; `aside` is how far below the line between the nodes.
    void draw_way(const branch& parent, const branch& child, bool up, double aside) {
        const message_tree::way& w = up ? child.up : child.down;
        const double left = x(parent) + radius + 1;
        const double right = x(child) - radius - 1;
        const double turn = x(parent) + radius + room_[parent.depth].label + corner + aside;
        const double from = (up ? y(child) : y(parent)) + aside;
        const double to = (up ? y(parent) : y(child)) + aside;
        const std::string d = "M" + svg_number(up ? right : left) + "," + svg_number(from) + " H"
                              + svg_number(turn) + " V" + svg_number(to) + " H"
                              + svg_number(up ? left : right);
        const std::string once =
            child.ranks.size() > 1 ? std::to_string(child.ranks.size()) + " alike, the last: " : "";
        svg_.pointed("path",
                     {{"class", w.folds ? "fold" : "copy"},
                      {"d", d},
                      {"fill", "none"},
                      {"stroke", w.folds ? colours::folded : colours::copied},
                      {"stroke-width", arrow_width(w.folds)},
                      {"marker-end", w.folds ? "url(#fold)" : "url(#copy)"}},
                     once + words_of_way(run_, w, moves_));
        svg_.element("text",
                     {{"class", "round"},
                      {"x", right - 10}, // behind the head of an arrow to the child
                      {"y", y(child) + aside + (aside > 0 ? 10 : -3)},
                      {"font-size", rounds_size},
                      {"text-anchor", "end"},
                      {"fill", w.folds ? colours::folded : colours::copied}},
                     w.text());
    }

    void draw_nodes(const branch& b) {
        draw_rank_disc(svg_, x(b), y(b), radius, b.first(), b.first() == tree_.root());
        if (!b.label.empty())
            svg_.element("text",
                         {{"class", "label"},
                          {"x", x(b) + radius + 3},
                          {"y", y(b)
                                    + (b.children.empty() ? 3.5
                                       : both_ways_       ? -8.5
                                                          : -6)}, // above its edges
                          {"font-size", label_size},
                          {"fill", colours::quiet}},
                         b.label);
        for (const branch& child : b.children) draw_nodes(child);
    }

    /// What one depth needs: for labels, and for rounds left of its nodes.
    struct room {
        double label = 0;
        double leaf_label = 0;
        double rounds = 0;
    };
    using shape = std::vector<std::tuple<int, std::string, bool, std::string, bool>>;

    static constexpr double radius = 9.5;
    static constexpr double corner = 14; // from the label to where edges turn
    static constexpr double label_size = 8.5;
    static constexpr double rounds_size = 9;

    const symbolic_run& run_;
    rounds_told told_;
    const message_tree& tree_;
    std::vector<const movement*> moves_; // of which the tree is made
    double top_;
    bool both_ways_;
    double row_; // of each leaf
    std::map<shape, int> shapes_{};
    std::size_t leaves_ = 0; // that are drawn
    bool any_alike_ = false; // subtrees that are drawn once
    branch root_;
    std::vector<room> room_{}; // by depth
    std::vector<double> columns_;
    svg_writer svg_;
};

} // namespace tutti::detail
#endif
