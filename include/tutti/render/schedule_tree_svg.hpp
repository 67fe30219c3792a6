// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/message_tree.hpp>
#include <tutti/render/movement_text.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/rounds_told.hpp>
#include <tutti/render/schedule_drawing.hpp>

#if TUTTI_BODIES // of schedule_svg.hpp
namespace tutti::detail {

/// Beside a node of which it is the tree: whose parts it has folded when it passes them on; else nothing.
inline std::string parts_passed_on(const symbolic_run& run, const message_tree::node& n,
                                   const std::vector<const movement*>& moves) {
    if (!n.up.folds || n.children.empty()) return {};
    const std::vector<moved_run>& passed_on = moves[n.up.last]->runs;
    return passed_on.empty() ? "" : text_of(run.sets()[passed_on.front().what.from]);
}

/// What is said where the mouse rests on an edge.
inline std::string words_of_way(const symbolic_run& run, const message_tree::way& w,
                                const std::vector<const movement*>& moves) {
    const std::string last = movement_text(run, *moves[w.last]);
    return w.rounds.size() > 1 ? "rounds " + w.text() + ", the last: " + last
                               : "round " + w.text() + ": " + last;
}

/// A rank as a node.
inline void draw_rank_disc(svg_writer& svg, double x, double y, double radius, rank_type r, bool is_root) {
    svg.pointed("circle",
                {{"class", "rank"},
                 {"cx", x},
                 {"cy", y},
                 {"r", radius},
                 {"fill", is_root ? colours::ink : std::string_view("#ffffff")},
                 {"stroke", colours::ink},
                 {"stroke-width", 1.2}},
                "rank " + std::to_string(r) + (is_root ? ", the root" : ""));
    const std::string number = std::to_string(r);
    const double size =
        std::min(12.0, 1.7 * radius / std::max(1.6, 0.62 * static_cast<double>(number.size())));
    draw_text(svg, x, y + 0.36 * size, size, number, "middle",
              is_root ? std::string_view("#ffffff") : colours::ink);
}

/// What stands at nodes and edges.
inline std::string words_of_tree(const symbolic_run& run) {
    std::string text = "Edges bear the rounds of their messages";
    if (folds(run.what())) text += "; beside a node, whose parts it has folded when it passes them on";
    return text + ".";
}

/// What the colours of the edges are, and below it these words.
inline void draw_tree_legend(svg_writer& svg, const message_tree& tree, rank_type size, double y,
                             const std::string& words) {
    bool any_fold = false;
    bool any_copy = false;
    for (rank_type r = 0; r < size; ++r)
        for (const message_tree::way* w : {&tree[r].up, &tree[r].down})
            if (!w->rounds.empty()) (w->folds ? any_fold : any_copy) = true;
    draw_arrows_legend(svg, 24, y - 17, any_fold, any_copy);
    draw_text(svg, 24, y, 11, words, "start", colours::quiet);
}

/// Ranks are nodes, the root on top; every edge bears the round of its message, and beside a node that
/// folds stands whose parts it passes on.
class tree_drawing {
public:
    tree_drawing(const symbolic_run& run, const message_tree& tree, const round_words& words,
                 const picture_heading& heading)
        : run_(run), told_(words, 0, run.rounds() - 1), tree_(tree), moves_(messages_of(run)),
          top_(heading_height(heading) + 60), places_(static_cast<std::size_t>(run.size())),
          svg_(lay_out(), height(), heading.title) {
        define_arrows(svg_);
        draw_heading(svg_, heading, width_);
        draw_tree_legend(svg_, tree, run.size(), top_ - 36, words_of_tree(run));
        svg_.open("g", {{"class", "messages"}});
        for (rank_type r = 0; r < run.size(); ++r) draw_edge(r);
        svg_.close();
        svg_.open("g", {{"class", "ranks"}});
        for (rank_type r = 0; r < run.size(); ++r) draw_node(r);
        svg_.close();
        told_.draw(svg_, bottom());
    }
    std::string finish() && { return std::move(svg_).finish(); }

private:
    /// Leaves side by side, parents over the middle of their children; room for the words beside a node.
    /// Returns the width of the sheet.
    double lay_out() {
        rank_type leaves = 0;
        for (rank_type r = 0; r < run_.size(); ++r) leaves += tree_[r].children.empty();
        pitch_ = std::clamp(1500.0 / leaves, 26.0, 52.0);
        double next = 0;
        put(tree_.root(), next);
        width_ = std::max({next + 48, 640.0, told_.width()});
        const double shift = (width_ - next) / 2; // a small tree stands in the middle
        for (double& x : places_) x += shift;
        return width_;
    }
    double put(rank_type r, double& next) {
        double& x = places_[static_cast<std::size_t>(r)];
        const std::vector<rank_type>& children = tree_[r].children;
        if (children.empty()) {
            x = next + pitch_ / 2;
            next += pitch_;
        } else {
            const double before = next;
            double first = 0;
            double last = 0;
            for (std::size_t k = 0; k < children.size(); ++k) {
                last = put(children[k], next);
                if (k == 0) first = last;
            }
            next = std::max(next, before + pitch_);
            x = (first + last) / 2;
            if (const std::string words = parts_passed_on(run_, tree_[r], moves_); !words.empty())
                next = std::max(next, x + 2 * radius() + 5 + text_width(words, 9.5) - pitch_ / 2);
        }
        return x;
    }
    double bottom() const { return top_ + tree_.depth() * level + 52; }
    double height() const { return bottom() + told_.height(); }
    double x(rank_type r) const { return places_[static_cast<std::size_t>(r)]; }
    double y(rank_type r) const { return top_ + tree_[r].depth * level; }
    double radius() const { return std::min(14.0, 0.42 * pitch_); }

    void draw_edge(rank_type child) {
        const message_tree::node& n = tree_[child];
        if (n.parent == no_rank) return;
        const bool both = !n.up.rounds.empty() && !n.down.rounds.empty();
        if (!n.up.rounds.empty()) draw_way(n.up, child, n.parent, both ? 3.5 : 0);
        if (!n.down.rounds.empty()) draw_way(n.down, n.parent, child, both ? 3.5 : 0);
    }
    /// From circle to circle, `aside` to the left of the way.
    void draw_way(const message_tree::way& w, rank_type from, rank_type to, double aside) {
        const double dx = x(to) - x(from);
        const double dy = y(to) - y(from);
        const double length = std::hypot(dx, dy);
        const double ux = dx / length;
        const double uy = dy / length;
        const double sx = uy * aside;
        const double sy = -ux * aside;
        const double gap = radius() + 1;
        const std::string label = w.text();
        draw_arrow(svg_, w.folds, x(from) + ux * gap + sx, y(from) + uy * gap + sy, x(to) - ux * gap + sx,
                   y(to) - uy * gap + sy, words_of_way(run_, w, moves_));
        // Nearer to the child, where edges lie apart.
        const double share = tree_[to].parent == from ? 0.62 : 0.38;
        const double lx = x(from) + dx * share + sx * 2.2;
        const double ly = y(from) + dy * share + sy;
        const double wide = text_width(label, 10);
        draw_halo(lx - wide / 2, ly, wide);
        svg_.element("text",
                     {{"class", "round"},
                      {"x", lx},
                      {"y", ly + 3.5},
                      {"font-size", 10},
                      {"text-anchor", "middle"},
                      {"fill", w.folds ? colours::folded : colours::copied}},
                     label);
    }

    /// White behind words, so that no line crosses them.
    void draw_halo(double left, double middle, double wide) {
        svg_.element(
            "rect",
            {{"x", left - 1}, {"y", middle - 6.5}, {"width", wide + 2}, {"height", 13}, {"fill", "#ffffff"}});
    }

    void draw_node(rank_type r) {
        draw_rank_disc(svg_, x(r), y(r), radius(), r, r == tree_.root());
        const std::string words = parts_passed_on(run_, tree_[r], moves_);
        if (words.empty()) return;
        draw_halo(x(r) + radius() + 3, y(r), text_width(words, 9.5));
        svg_.element("text",
                     {{"class", "label"},
                      {"x", x(r) + radius() + 3},
                      {"y", y(r) + 3.5},
                      {"font-size", 9.5},
                      {"fill", colours::quiet}},
                     words);
    }

    static constexpr double level = 92; // from one to the next

    const symbolic_run& run_;
    rounds_told told_;
    const message_tree& tree_;
    std::vector<const movement*> moves_; // of which the tree is made
    double top_;
    double pitch_ = 0; // of leaves
    double width_ = 0;
    std::vector<double> places_;
    svg_writer svg_;
};

} // namespace tutti::detail
#endif
