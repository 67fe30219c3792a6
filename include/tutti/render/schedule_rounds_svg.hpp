// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/render/holdings_text.hpp>
#include <tutti/render/movement_text.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/rounds_layout.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/schedule_window.hpp>

#if TUTTI_BODIES // of schedule_svg.hpp
namespace tutti::detail {

/// Ranks are lines, rounds are columns, messages are arrows; between the rounds what each rank holds. Many
/// rounds stand in several rows, one below the other, as on a page. Of many ranks the arrows are thin, and
/// paler the more of the ground they would cover, so that where they lie thick is seen.
class rounds_drawing : private rounds_layout {
public:
    rounds_drawing(const symbolic_run& run, const round_words& words, const picture_heading& heading,
                   const schedule_window& part)
        : rounds_layout(run, words, part, heading), words_(words), heading_(heading),
          svg_(width(), height(), heading.title) {
        define_arrows(svg_, thinner());
        if (!run.personal()) define_hatch(svg_);
        for (const row_of_rounds& at : rows_)
            for (round_index i = at.first; i <= at.last + 1; ++i)
                holdings_map::define_ranks(svg_, run, {at.column(i), 0, map_width_, 0, at.number(i)});
        draw_heading(svg_, heading_, width());
        draw_legend();
        block_grid grid = grid_at_first();
        for (const row_of_rounds& at : rows_) {
            draw_ranks(at);
            draw_phases(at);
            draw_column(at, at.first, grid, grid);
            for (round_index i = at.first; i <= at.last; ++i) {
                const block_grid before = grid;
                run_.advance(grid, i);
                draw_column(at, i + 1, grid, before);
                draw_messages(at, i);
                check_elements(i);
            }
        }
        told_.draw(svg_, bottom());
    }
    std::string finish() && { return std::move(svg_).finish(); }

private:
    /// Refuses what viewers choke on: a vector may lie in as many pieces as it has blocks, in every column.
    void check_elements(round_index i) const {
        if (svg_.elements() <= most_elements) return;
        const std::string most = std::to_string(most_elements);
        throw argument_error("elements of a picture", "over " + most,
                             "at most " + most + words_of_fitting(part_.first_round, i));
    }

    void draw_legend() {
        const double y = top_ - (buffers_.size() > 1 ? 88 : 70);
        double x = 24;
        svg_.open("g", {{"class", "legend"}});
        const auto words = [&](std::string_view text) {
            draw_text(svg_, x, y, 11, text, "start", colours::quiet);
            x += text_width(text, 11) + 22;
        };
        const auto box = [&](std::string_view colour) {
            svg_.element("rect", {{"x", x}, {"y", y - 10}, {"width", 14}, {"height", 12}, {"fill", colour}});
        };
        bool any_fold = false;
        bool any_copy = false;
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            for (const movement& m : run_.movements(i))
                (m.folds ? any_fold : any_copy) |= !m.local() && part_.has_end_of(m.from, m.to);
        x = draw_arrows_legend(svg_, x, y, any_fold, any_copy);
        if (any_leads_out()) words("arrow with a number: to or from a rank that is not drawn");
        const bool by_rank = holdings_map(run_, {}).by_rank();
        if (run_.personal()) {
            draw_ranks_legend(x, y, words);
        } else {
            box(colours::held);
            x += 20;
            words(!by_rank             ? "held"
                  : run_.blocks() == 1 ? "held: the higher, the more ranks' parts"
                                       : "held: wider, more blocks; higher, more ranks' parts");
        }
        if ((by_rank || run_.personal()) && run_.what() != collective::barrier && width() > x + 140) {
            if (run_.personal())
                holdings_map::draw_own(svg_, "sample", {x, y - 10, 14, 12}, false,
                                       colours::of_rank(run_.size() / 4, run_.size()));
            else
                box(colours::hatched);
            x += 20;
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
            holdings_map::draw_own(svg_, "sample", {x, y - 10, wide, 12}, true, colours::of_rank(k, samples));
        x += 5;
        if (run_.size() > 1) number(run_.size() - 1);
        x += 17;
    }

    void draw_ranks(const row_of_rounds& at) {
        svg_.open("g", {{"class", "ranks"}});
        const double size = std::clamp(pitch_ - 4, 9.0, 13.0);
        rank_type every = 1; // which ranks' numbers find room
        while (every * pitch_ < size + 1) every *= 2;
        for (const rank_type r : shown_) {
            const bool numbered = part_.rows_before(r) % every == 0;
            svg_.element("line", {{"x1", at.columns.front()},
                                  {"y1", axis(at, r)},
                                  {"x2", at.columns.back() + map_width_ / 2},
                                  {"y2", axis(at, r)},
                                  {"stroke", colours::line},
                                  {"stroke-width", numbered ? 0.6 : 0.2}});
            if (numbered)
                draw_text(svg_, at.columns.front() - 14, axis(at, r) + 0.36 * size, size,
                          schedule_window::text_of(r, part_.row_ends_with(r)), "end");
        }
        draw_text(svg_, at.columns.front() - 14, at.top - 12, 11, "rank", "end", colours::quiet);
        for (round_index i = at.first; i <= at.last; ++i)
            draw_text(svg_, middle(at, i), at.top - 12, 11, "round " + std::to_string(i), "middle",
                      colours::quiet);
        svg_.close();
    }
    void draw_phases(const row_of_rounds& at) {
        svg_.open("g", {{"class", "phases"}});
        const double y = at.top - 32;
        for (const schedule_phase& p : words_.phases) {
            const round_index first = std::max(p.first, at.first);
            const round_index last = std::min(p.last, at.last);
            if (first > last) continue;
            const double left = middle(at, first) - 26;
            const double right = middle(at, last) + 26;
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
        for (round_index i = at.first; i <= at.last; ++i)
            svg_.pointed("rect",
                         {{"class", "words"},
                          {"x", middle(at, i) - 26},
                          {"y", at.top - 24},
                          {"width", 52},
                          {"height", 16},
                          {"fill", "none"},
                          {"pointer-events", "all"}},
                         words_.rounds[static_cast<std::size_t>(i)]);
        svg_.close();
    }
    static std::string place(double x) { return svg_number(x); }

    /// What ranks hold before round i, where that has changed.
    void draw_column(const row_of_rounds& at, round_index i, const block_grid& grid,
                     const block_grid& before) {
        svg_.open("g", {{"class", "holdings"}});
        const double font = font_of_column(i, grid);
        const bool outer = i == at.first || i > part_.last_round;
        for (const rank_type r : shown_) {
            const std::string words = holdings_text(run_, grid, i, r);
            if (!outer && (words.empty() || !changed(i, r, grid, before))) continue;
            double y = axis(at, r) - high() / 2;
            for (const buffer_name b : buffers_) {
                const holdings_map map(run_, {at.column(i), y, map_width_, map_height_, at.number(i)});
                map.draw(svg_, grid, i, r, b,
                         "rank " + std::to_string(r) + (i == 0 ? ", first: " : ", then: ")
                             + (words.empty() ? "nothing that is needed" : words));
                y += map_height_ + apart;
            }
            if (labels_ && !words.empty())
                svg_.element("text",
                             {{"class", "label"},
                              {"x", at.column(i) + map_width_ / 2},
                              {"y", axis(at, r) + high() / 2 + 10},
                              {"font-size", font},
                              {"text-anchor", "middle"}},
                             words);
        }
        svg_.close();
    }
    /// Such that the longest words have room.
    double font_of_column(round_index i, const block_grid& grid) const {
        double longest = map_width_;
        if (!labels_) return label_size;
        for (const rank_type r : shown_)
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

    void draw_messages(const row_of_rounds& at, round_index i) {
        if (const double opacity = opacity_of(at, i); opacity < 1)
            svg_.open("g", {{"class", "messages"}, {"stroke-opacity", opacity}});
        else
            svg_.open("g", {{"class", "messages"}});
        std::map<way_out, std::vector<const movement*>> ways_out;
        for (const movement& m : run_.movements(i)) {
            if (m.local() || !part_.has_end_of(m.from, m.to)) continue;
            if (!inside(m)) {
                const bool leaves = part_.has_rank(m.from);
                const rank_type other = leaves ? m.to : m.from;
                ways_out[{leaves ? m.from : m.to, leaves, other > (leaves ? m.from : m.to), m.folds}]
                    .push_back(&m);
                continue;
            }
            const bool down = m.to > m.from;
            const double x1 = at.column(i) + map_width_ + 3;
            const double x2 = at.column(i + 1) - 3;
            draw_arrow(svg_, m.folds, x1, axis(at, m.from) + (down ? aside() : -aside()), x2,
                       axis(at, m.to) + (down ? -aside() : aside()),
                       "round " + std::to_string(i) + ": " + movement_text(run_, m), thinner());
        }
        for (const auto& [way, messages] : ways_out) draw_way_out(at, i, way, messages);
        svg_.close();
    }
    /// Between a rank and others that are not drawn, all above or all below.
    struct way_out {
        rank_type rank;
        bool leaves;
        bool below;
        bool folds;
        auto operator<=>(const way_out&) const = default;
    };
    /// A short arrow, up or down, with the number of the other rank, or how many they are.
    void draw_way_out(const row_of_rounds& at, round_index i, const way_out& way,
                      const std::vector<const movement*>& messages) {
        const double near = axis(at, way.rank) + (way.below ? aside() : -aside());
        const double far = near + (way.below ? 0.3 : -0.3) * std::min(pitch_, 20.0);
        const double x = way.leaves ? at.column(i) + map_width_ + 3 : at.column(i + 1) - 3;
        const double end = way.leaves ? x + length_out : x - length_out;
        std::string words = "round " + std::to_string(i);
        for (const movement* m : messages)
            words.append(m == messages.front() ? ": " : "; ").append(movement_text(run_, *m));
        if (way.leaves)
            draw_arrow(svg_, way.folds, x, near, end, far, words, thinner());
        else
            draw_arrow(svg_, way.folds, end, far, x, near, words, thinner());
        const rank_type other = way.leaves ? messages.front()->to : messages.front()->from;
        const double font = std::clamp(0.6 * pitch_, 6.5, 9.0);
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

    static constexpr std::int64_t most_elements = 1 << 17; // some 16 MB
    static constexpr double length_out = 16;               // of arrows to ranks that are not drawn
    const round_words& words_;
    const picture_heading& heading_;
    svg_writer svg_;
};

} // namespace tutti::detail
#endif
