// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/render/holdings_text.hpp>
#include <tutti/render/movement_text.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/schedule_window.hpp>

namespace tutti::detail {

/// Ranks are lines, rounds are columns, messages are arrows; between the rounds what each rank holds.
class rounds_drawing {
public:
    rounds_drawing(const symbolic_run& run, const round_words& words, const picture_heading& heading,
                   const schedule_window& part)
        : run_(run), words_(words), heading_(heading), part_(part), buffers_(drawn_buffers(run)),
          top_(heading_height(heading) + (buffers_.size() > 1 ? 106 : 88)),
          labels_(pitch_of(part.ranks()) >= 30), map_height_(height_of_map(part.ranks())),
          pitch_(high() + (labels_ ? 19 : 5)), map_width_(width_of_maps()),
          svg_(lay_out(), height(), heading.title) {
        define_arrows(svg_);
        for (round_index i = part_.first_round; i <= part_.last_round + 1; ++i)
            holdings_map::define_ranks(svg_, run, {column(i), 0, map_width_, 0, i});
        draw_heading(svg_, heading_, width_);
        draw_legend();
        draw_ranks();
        draw_phases();
        block_grid grid = grid_at_first();
        draw_column(part_.first_round, grid, grid);
        for (round_index i = part_.first_round; i <= part_.last_round; ++i) {
            const block_grid before = grid;
            run_.advance(grid, i);
            draw_column(i + 1, grid, before);
            draw_messages(i);
        }
    }
    std::string finish() && { return std::move(svg_).finish(); }

private:
    static double pitch_of(rank_type size) {
        return size <= 16 ? 40 : size <= 32 ? 32 : size <= 64 ? 19 : 14;
    }

    /// Of one buffer of a rank; several share somewhat more than the room of one.
    double height_of_map(rank_type size) const {
        const double alone = pitch_of(size) - (labels_ ? 19 : 5);
        return buffers_.size() == 1 ? alone : std::max(7.0, 0.6 * alone);
    }
    /// Of all buffers of a rank.
    double high() const { return (map_height_ + apart) * static_cast<double>(buffers_.size()) - apart; }

    /// Wide enough for the longest words below a map, and for the colours of personal blocks.
    double width_of_maps() const {
        const auto blocks = static_cast<double>(run_.blocks());
        double widest =
            std::clamp(9 * blocks, 26.0, run_.personal() ? std::clamp(6 * blocks, 76.0, 400.0) : 76.0);
        if (!labels_) return widest;
        const double at_least = widest;
        block_grid grid = grid_at_first();
        for (round_index i = part_.first_round;; ++i) {
            for (rank_type r = part_.first_rank; r <= part_.last_rank; ++r)
                widest = std::max(widest, text_width(holdings_text(run_, grid, i, r), label_size));
            if (i > part_.last_round) return std::min(widest, std::max(150.0, at_least));
            run_.advance(grid, i);
        }
    }

    /// What ranks hold before the first round that is shown.
    block_grid grid_at_first() const {
        block_grid grid = run_.start();
        for (round_index i = 0; i < part_.first_round; ++i) run_.advance(grid, i);
        return grid;
    }

    /// The places of the columns; returns the width of the sheet.
    double lay_out() {
        double x = 64;
        for (round_index i = part_.first_round; i <= part_.last_round + 1; ++i) {
            columns_.push_back(x);
            x += map_width_;
            if (i <= part_.last_round) x += room_for_messages(i);
        }
        width_ = std::max(x + 24, 640.0);
        return width_;
    }
    /// Messages that go far need room to be told apart; those that lead out, for the numbers of others.
    double room_for_messages(round_index i) const {
        rank_type farthest = 0;
        bool any_outside = false;
        for (const movement& m : run_.movements(i)) {
            if (inside(m)) farthest = std::max(farthest, std::abs(m.from - m.to));
            any_outside |= leads_out(m);
        }
        return std::clamp(44 + 0.19 * pitch_ * farthest, any_outside ? 116.0 : 52.0, 150.0);
    }
    bool inside(const movement& m) const { return part_.has_rank(m.from) && part_.has_rank(m.to); }
    bool leads_out(const movement& m) const { return part_.has_end_of(m.from, m.to) && !inside(m); }

    double height() const { return top_ + pitch_ * part_.ranks() + 16; }
    double row(rank_type r) const { return top_ + pitch_ * (r - part_.first_rank + 0.5); }
    double column(round_index i) const { return columns_[static_cast<std::size_t>(i - part_.first_round)]; }
    /// Of the middle of a map: the line of its rank.
    double axis(rank_type r) const { return row(r) - (labels_ ? 6 : 0); }

    void draw_legend() {
        const double y = top_ - (buffers_.size() > 1 ? 88 : 70);
        double x = 24;
        svg_.open("g", {{"class", "legend"}});
        const auto words = [&](std::string_view text) {
            draw_text(svg_, x, y, 11, text, "start", colours::quiet);
            x += text_width(text, 11) + 22;
        };
        const auto arrow = [&](bool folds) {
            svg_.element("line", {{"x1", x},
                                  {"y1", y - 4},
                                  {"x2", x + 28},
                                  {"y2", y - 4},
                                  {"stroke", folds ? colours::folded : colours::copied},
                                  {"stroke-width", folds ? 1.9 : 1.2},
                                  {"marker-end", folds ? "url(#fold)" : "url(#copy)"}});
            x += 35;
        };
        const auto box = [&](std::string_view colour) {
            svg_.element("rect", {{"x", x}, {"y", y - 10}, {"width", 14}, {"height", 12}, {"fill", colour}});
            x += 20;
        };
        bool any_fold = false;
        bool any_copy = false;
        bool any_outside = false;
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            for (const movement& m : run_.movements(i)) {
                (m.folds ? any_fold : any_copy) |= !m.local() && part_.has_end_of(m.from, m.to);
                any_outside |= leads_out(m);
            }
        if (any_fold) {
            arrow(true);
            words("folded on arrival");
        }
        if (any_copy) {
            arrow(false);
            words("copied");
        }
        if (any_outside) words("with a number: to or from a rank that is not drawn");
        const bool by_rank = holdings_map(run_, {}).by_rank();
        if (run_.personal()) {
            draw_ranks_legend(x, y, words);
        } else {
            box(colours::held);
            words(!by_rank             ? "held"
                  : run_.blocks() == 1 ? "held: the higher, the more ranks' parts"
                                       : "held: wider, more blocks; higher, more ranks' parts");
        }
        if ((by_rank || run_.personal()) && run_.what() != collective::barrier && width_ > x + 140) {
            box(run_.personal() ? colours::of_rank(run_.size() / 4, run_.size(), true)
                                : std::string(colours::held_no_more));
            words("needed no more");
        }
        if (buffers_.size() > 1) draw_text(svg_, 24, y + 18, 11, buffers_text(run_), "start", colours::quiet);
        svg_.close();
    }

    /// The colours of the ranks, or of some of many, between the numbers of the first and the last.
    template <class Words>
    void draw_ranks_legend(double& x, double y, const Words& words) {
        words(colours_text(run_));
        x -= 12;
        const auto number = [&](rank_type r) {
            draw_text(svg_, x, y, 11, std::to_string(r));
            x += text_width(std::to_string(r), 11) + 5;
        };
        number(0);
        const rank_type samples = std::min<rank_type>(run_.size(), 24);
        const double wide = std::clamp(120.0 / samples, 5.0, 14.0);
        for (rank_type k = 0; k < samples; ++k, x += wide)
            svg_.element("rect", {{"class", "sample"},
                                  {"x", x},
                                  {"y", y - 10},
                                  {"width", wide},
                                  {"height", 12},
                                  {"fill", colours::of_rank(k, samples)}});
        x += 5;
        if (run_.size() > 1) number(run_.size() - 1);
        x += 17;
    }

    void draw_ranks() {
        svg_.open("g", {{"class", "ranks"}});
        const double end = columns_.back() + map_width_ / 2;
        for (rank_type r = part_.first_rank; r <= part_.last_rank; ++r) {
            svg_.element("line", {{"x1", columns_.front()},
                                  {"y1", axis(r)},
                                  {"x2", end},
                                  {"y2", axis(r)},
                                  {"stroke", colours::line}});
            const double size = std::min(13.0, pitch_ - 4);
            draw_text(svg_, columns_.front() - 14, axis(r) + 0.36 * size, size, std::to_string(r), "end");
        }
        draw_text(svg_, columns_.front() - 14, top_ - 12, 11, "rank", "end", colours::quiet);
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            draw_text(svg_, middle(i), top_ - 12, 11, "round " + std::to_string(i), "middle", colours::quiet);
        svg_.close();
    }
    /// Of the messages of round i.
    double middle(round_index i) const { return (column(i) + map_width_ + column(i + 1)) / 2; }

    void draw_phases() {
        svg_.open("g", {{"class", "phases"}});
        const double y = top_ - 32;
        for (const schedule_phase& p : words_.phases) {
            const round_index first = std::max(p.first, part_.first_round);
            const round_index last = std::min(p.last, part_.last_round);
            if (first > last) continue;
            const double left = middle(first) - 26;
            const double right = middle(last) + 26;
            svg_.element("path", {{"class", "bracket"},
                                  {"d", "M" + place(left) + "," + place(y + 6) + " V" + place(y) + " H"
                                            + place(right) + " V" + place(y + 6)},
                                  {"fill", "none"},
                                  {"stroke", colours::quiet}});
            // As wide as there is room, up to the middles of the rounds beside it.
            const double room = right - left + map_width_;
            svg_.element("text",
                         {{"class", "phase"},
                          {"x", (left + right) / 2},
                          {"y", y - 6},
                          {"font-size", std::min(11.0, 11 * room / std::max(1.0, text_width(p.words, 11)))},
                          {"text-anchor", "middle"}},
                         p.words);
        }
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            svg_.pointed("rect",
                         {{"class", "words"},
                          {"x", middle(i) - 26},
                          {"y", top_ - 24},
                          {"width", 52},
                          {"height", 16},
                          {"fill", "none"},
                          {"pointer-events", "all"}},
                         words_.rounds[static_cast<std::size_t>(i)]);
        svg_.close();
    }
    static std::string place(double x) { return svg_number(x); }

    /// What ranks hold before round i, where that has changed.
    void draw_column(round_index i, const block_grid& grid, const block_grid& before) {
        svg_.open("g", {{"class", "holdings"}});
        const double font = font_of_column(i, grid);
        const bool outer = i == part_.first_round || i > part_.last_round;
        for (rank_type r = part_.first_rank; r <= part_.last_rank; ++r) {
            const std::string words = holdings_text(run_, grid, i, r);
            if (!outer && (words.empty() || !changed(i, r, grid, before))) continue;
            double y = axis(r) - high() / 2;
            for (const buffer_name b : buffers_) {
                const holdings_map map(run_, {column(i), y, map_width_, map_height_, i});
                map.draw(svg_, grid, i, r, b,
                         "rank " + std::to_string(r) + (i == 0 ? ", first: " : ", then: ")
                             + (words.empty() ? "nothing that is needed" : words));
                y += map_height_ + apart;
            }
            if (labels_ && !words.empty())
                svg_.element("text",
                             {{"class", "label"},
                              {"x", column(i) + map_width_ / 2},
                              {"y", axis(r) + high() / 2 + 10},
                              {"font-size", font},
                              {"text-anchor", "middle"}},
                             words);
        }
        svg_.close();
    }
    /// Such that the longest words have room.
    double font_of_column(round_index i, const block_grid& grid) const {
        double longest = map_width_;
        for (rank_type r = part_.first_rank; r <= part_.last_rank && labels_; ++r)
            longest = std::max(longest, text_width(holdings_text(run_, grid, i, r), label_size));
        return label_size * map_width_ / longest;
    }
    bool changed(round_index i, rank_type r, const block_grid& grid, const block_grid& before) const {
        for (int plane = 0; plane < buffer_count; ++plane)
            for (block_index b = 0; b < run_.blocks(); ++b) {
                const auto buffer = static_cast<buffer_name>(plane);
                if (grid(r, buffer, b) != before(r, buffer, b)) return true;
                if (run_.needed(i, r, buffer, b) != run_.needed(i - 1, r, buffer, b)) return true;
            }
        return false;
    }

    void draw_messages(round_index i) {
        svg_.open("g", {{"class", "messages"}});
        std::map<way_out, std::vector<const movement*>> ways_out;
        for (const movement& m : run_.movements(i)) {
            if (m.local() || !part_.has_end_of(m.from, m.to)) continue;
            if (!inside(m)) {
                const bool leaves = part_.has_rank(m.from);
                const rank_type other = leaves ? m.to : m.from;
                ways_out[{leaves ? m.from : m.to, leaves, other > part_.last_rank, m.folds}].push_back(&m);
                continue;
            }
            const bool down = m.to > m.from;
            const double x1 = column(i) + map_width_ + 3;
            const double x2 = column(i + 1) - 3;
            draw_arrow(svg_, m.folds, x1, axis(m.from) + (down ? aside() : -aside()), x2,
                       axis(m.to) + (down ? -aside() : aside()),
                       "round " + std::to_string(i) + ": " + movement_text(run_, m));
        }
        for (const auto& [way, messages] : ways_out) draw_way_out(i, way, messages);
        svg_.close();
    }
    /// Of arrows that come from those that go.
    double aside() const { return std::min(4.0, pitch_ / 6); }

    /// Between a rank and others that are not drawn, all above or all below.
    struct way_out {
        rank_type rank;
        bool leaves;
        bool below;
        bool folds;
        auto operator<=>(const way_out&) const = default;
    };
    /// A short arrow, up or down, with the number of the other rank, or how many they are.
    void draw_way_out(round_index i, const way_out& way, const std::vector<const movement*>& messages) {
        const double near = axis(way.rank) + (way.below ? aside() : -aside());
        const double far = near + (way.below ? 0.3 : -0.3) * std::min(pitch_, 20.0);
        const double x = way.leaves ? column(i) + map_width_ + 3 : column(i + 1) - 3;
        const double end = way.leaves ? x + length_out : x - length_out;
        std::string words = "round " + std::to_string(i);
        for (const movement* m : messages)
            words.append(m == messages.front() ? ": " : "; ").append(movement_text(run_, *m));
        if (way.leaves)
            draw_arrow(svg_, way.folds, x, near, end, far, words);
        else
            draw_arrow(svg_, way.folds, end, far, x, near, words);
        const rank_type other = way.leaves ? messages.front()->to : messages.front()->from;
        const double font = std::min(9.0, 0.6 * pitch_);
        svg_.element("text",
                     {{"class", "outside"},
                      {"x", way.leaves ? end + 3 : end - 3},
                      {"y", far + 0.36 * font},
                      {"font-size", font},
                      {"text-anchor", way.leaves ? "start" : "end"},
                      {"fill", way.folds ? colours::folded : colours::copied}},
                     messages.size() == 1 ? std::to_string(other)
                                          : std::to_string(messages.size()) + " ranks");
    }

    static constexpr double length_out = 16; // of arrows to ranks that are not drawn
    static constexpr double label_size = 10;
    static constexpr double apart = 2; // the buffers of a rank

    const symbolic_run& run_;
    const round_words& words_;
    const picture_heading& heading_;
    schedule_window part_;
    std::vector<buffer_name> buffers_; // from the top
    double top_;
    bool labels_; // there is room for words
    double map_height_;
    double pitch_; // of ranks
    double map_width_;
    double width_ = 0;
    std::vector<double> columns_;
    svg_writer svg_;
};

} // namespace tutti::detail
