// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/topology/fat_tree.hpp>

namespace tutti::detail {

/// Where the parts of a tree lie on the sheet: roots above, nodes below, the switches of a subtree over its
/// nodes. In pixels.
class fat_tree_layout {
public:
    struct box {
        double x, y, width, height; // of its middle, and its size
    };

    /// Of what lies between the margins.
    struct span {
        double widest = 1400; ///< if possible
        double least = 840;   ///< wide enough for the longest legend
    };

    fat_tree_layout(const fat_tree& tree, std::size_t heading_lines, span within) : tree_(tree) {
        const double widest = within.widest;
        const double nodes = tree.nodes();
        double most_switches = 1;
        for (int l = 1; l <= tree.levels(); ++l)
            most_switches = std::max(most_switches, static_cast<double>(tree.vertices(l)));
        // All on a screen if possible, but no two nodes closer than 9 and no two switches than 20 pixels.
        span_ = std::max({nodes * std::clamp(widest / nodes, 9.0, 46.0), most_switches * 20, within.least});
        scale_ = std::max(1.0, span_ / widest);
        left_ = 96 * scale_;

        top_ = (48 + 20 * static_cast<double>(heading_lines) + 44) * scale_;
        row_.resize(static_cast<std::size_t>(tree.levels()) + 1);
        double y = top_;
        for (int l = tree.levels(); l >= 0; --l) {
            const double half = size_of(l).height / 2;
            row(l) = y + half;
            y += 2 * half + gap_below(l);
        }
        bottom_ = row(0) + size_of(0).height / 2;
    }

    fat_tree_layout(const fat_tree& tree, std::size_t heading_lines)
        : fat_tree_layout(tree, heading_lines, span()) {}

    double width() const { return left_ + span_ + 24 * scale_; }
    double height() const { return bottom_ + 60 * scale_; }
    double left() const { return left_; }
    double scale() const { return scale_; }
    /// How much more what must catch the eye is drawn on a large sheet.
    double emphasis() const { return scale_ > 2 ? 2 : scale_; }
    double top() const { return top_; }
    double bottom() const { return bottom_; }
    double pitch(int level) const { return span_ / static_cast<double>(tree_.vertices(level)); }

    bool upright(int level) const { return label_width(level) + 12 > 0.9 * pitch(level); }
    double font(int level) const { return upright(level) ? std::min(13.0, 0.5 * pitch(level)) : 12; }

    box box_of(const fat_tree::vertex& v) const {
        box b = size_of(v.level);
        const auto place = static_cast<double>(v.subtree * tree_.planes(v.level) + v.plane);
        b.x = left_ + (place + 0.5) * pitch(v.level);
        b.y = row_[static_cast<std::size_t>(v.level)];
        return b;
    }

    struct ends {
        double x1, y1, x2, y2;
    };
    /// The two lines of a cable run side by side, upwards on the left.
    ends ends_of(const fat_tree::link_parts& p) const {
        const box low = box_of(tree_.lower_end(p));
        const box high = box_of(tree_.upper_end(p));
        const double ports = tree_.parents(p.level + 1);
        const double port = static_cast<double>(p.plane / tree_.planes(p.level));
        const double children = tree_.children(p.level + 1);
        const double child = p.subtree % tree_.children(p.level + 1);
        const double apart = std::min(2.2, 0.25 * std::min(low.width / ports, high.width / children));
        const double shift = p.up ? -apart : apart;
        const ends e{.x1 = low.x + ((port + 0.5) / ports - 0.5) * low.width + shift,
                     .y1 = low.y - low.height / 2,
                     .x2 = high.x + ((child + 0.5) / children - 0.5) * high.width + shift,
                     .y2 = high.y + high.height / 2};
        return p.up ? e : ends{e.x2, e.y2, e.x1, e.y1};
    }

private:
    double& row(int level) { return row_[static_cast<std::size_t>(level)]; }

    std::string longest_label(int level) const {
        return tree_.name(fat_tree::vertex{
            .level = level, .subtree = tree_.subtrees(level) - 1, .plane = tree_.planes(level) - 1});
    }
    /// At 12 pixels, in a common wide font; labels are digits, commas and two brackets.
    double label_width(int level) const {
        double em = 0;
        for (const char c : longest_label(level).substr(std::string_view("switch ").size()))
            em += c == ',' ? 0.32 : c == '<' || c == '>' ? 0.84 : 0.64;
        return 12 * em;
    }
    box size_of(int level) const {
        if (level == 0) {
            const double radius = std::min(8.0, 0.38 * pitch(0));
            return {0, 0, 2 * radius, 2 * radius};
        }
        if (upright(level))
            return {0, 0, std::min(32.0, 0.72 * pitch(level)), label_width(level) * font(level) / 12 + 10};
        return {0, 0, std::max(label_width(level) + 12, 0.5 * pitch(level)), 22};
    }
    /// Cables that go far to the side need height to be told apart.
    double gap_below(int level) const {
        if (level == 0) return 0;
        const double below = static_cast<double>(tree_.subtree_size(level)) * pitch(0);
        return 56 + 0.19 * below;
    }

    const fat_tree& tree_;
    double span_ = 0;  // from the first node's left to the last one's right
    double scale_ = 1; // of what is to be read on the sheet as a whole
    double left_ = 0;
    double top_ = 0;
    double bottom_ = 0;
    std::vector<double> row_; // middle of each level
};

} // namespace tutti::detail
