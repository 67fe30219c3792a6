// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/holdings_text.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/rounds_told.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/schedule_window.hpp>

#if TUTTI_BODIES // of schedule_svg.hpp
namespace tutti::detail {

/// Where the parts of a picture are whose lines are ranks and whose columns are rounds, and how large.
class rounds_layout {
protected:
    /// Rounds side by side, between columns of what ranks hold, one more than rounds.
    struct row_of_rounds {
        round_index first;
        round_index last;
        double top;
        round_index above; ///< rows
        std::vector<double> columns{};

        double column(round_index i) const { return columns[static_cast<std::size_t>(i - first)]; }
        /// Of a column, among those of all rows.
        round_index number(round_index i) const { return i + above; }
    };

    rounds_layout(const symbolic_run& run, const round_words& words, const schedule_window& part,
                  const picture_heading& heading)
        : run_(run), part_(part), shown_(shown_ranks()),
          told_(words, part.first_round, part.last_round, part.most_width), buffers_(drawn_buffers(run)),
          top_(heading_height(heading) + (buffers_.size() > 1 ? 106 : 88)),
          labels_(pitch_of(part.ranks()) >= 30), map_height_(height_of_map(part.ranks())),
          pitch_(high() + below_maps(part.ranks())), map_width_(width_of_maps()), rows_(lay_out()) {}

    /// More than 80 have the height of those.
    static double pitch_of(rank_type size) {
        return size <= 16 ? 40 : size <= 32 ? 32 : size <= 64 ? 19 : std::min(14.0, 1120.0 / size);
    }
    /// Arrows than those of few ranks, whose lines and heads are 1.
    double thinner() const { return std::clamp(pitch_ / 10, 0.45, 1.0); }
    /// Between the maps of a rank and those of the next, where words may stand.
    double below_maps(rank_type size) const { return labels_ ? 19 : std::min(5.0, 0.36 * pitch_of(size)); }

    /// Of one buffer of a rank; several share somewhat more than the room of one.
    double height_of_map(rank_type size) const {
        const double alone = pitch_of(size) - below_maps(size);
        return buffers_.size() == 1 ? alone : std::max(std::min(7.0, alone), 0.6 * alone);
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
            for (const rank_type r : shown_)
                widest = std::max(widest, text_width(holdings_text(run_, grid, i, r), label_size));
            if (i > part_.last_round) return std::min(widest, std::max(most_for_words(), at_least));
            run_.advance(grid, i);
        }
    }

    /// Of a map, whose words are smaller beyond that: such that every round has room in a row.
    double most_for_words() const {
        constexpr double enough = 216;
        if (part_.most_width <= 0) return enough;
        double between = 0;
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            between = std::max(between, room_for_messages(i));
        return std::min(enough, (part_.most_width - first_column() - right_margin - between) / 2);
    }

    /// What ranks hold before the first round that is shown.
    block_grid grid_at_first() const {
        block_grid grid = run_.start();
        for (round_index i = 0; i < part_.first_round; ++i) run_.advance(grid, i);
        return grid;
    }

    std::vector<rank_type> shown_ranks() const {
        std::vector<rank_type> list;
        for (rank_type r = part_.first_rank; r <= part_.last_rank; ++r)
            if (part_.has_rank(r)) list.push_back(r);
        return list;
    }
    /// Behind the numbers of ranks, which are longer where a row stands for several.
    double first_column() const { return part_.left_out.empty() ? 64 : 104; }

    /// The places of the columns.
    std::vector<row_of_rounds> lay_out() const {
        const round_index rounds = part_.last_round - part_.first_round + 1;
        double wide = first_column() + map_width_;
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            wide += room_for_messages(i) + map_width_;
        // As wide as high, roughly, where one row is too long for a page.
        const double square = wide <= most_wide ? 1 : std::sqrt(wide / (height_of_row() + between_rows));
        const auto rows = std::max(static_cast<round_index>(square), round_index{1});
        const round_index in_each = (rounds + rows - 1) / rows;
        std::vector<row_of_rounds> list;
        for (round_index i = part_.first_round; i <= part_.last_round || list.empty();) {
            const auto above = static_cast<round_index>(list.size());
            row_of_rounds at{.first = i,
                             .last = part_.most_width > 0 ? last_within(i, part_.most_width)
                                                          : std::min(i + in_each - 1, part_.last_round),
                             .top = top_ + static_cast<double>(above) * (height_of_row() + between_rows),
                             .above = above};
            double x = first_column();
            for (;; ++i) {
                at.columns.push_back(x);
                x += map_width_;
                if (i > at.last) break;
                x += room_for_messages(i);
            }
            list.push_back(std::move(at));
        }
        return list;
    }
    /// The last round of a row that begins with round `first` and is no wider than that, of one round at
    /// least.
    round_index last_within(round_index first, double most) const {
        double x = first_column() + map_width_ + right_margin;
        round_index i = first;
        for (; i <= part_.last_round; ++i) {
            x += room_for_messages(i) + map_width_;
            if (x > most && i > first) break;
        }
        return i - 1;
    }
    /// Messages that go far need room to be told apart; those that lead out, for the numbers of others.
    double room_for_messages(round_index i) const {
        rank_type farthest = 0;
        bool any_outside = false;
        for (const movement& m : run_.movements(i)) {
            if (inside(m)) farthest = std::max(farthest, rows_apart(m));
            any_outside |= leads_out(m);
        }
        return std::clamp(44 + 0.19 * pitch_ * farthest, any_outside ? 116.0 : 52.0, 150.0);
    }
    bool inside(const movement& m) const { return part_.has_rank(m.from) && part_.has_rank(m.to); }
    /// From row to row of a message that is inside: in a folded picture fewer than from rank to rank.
    rank_type rows_apart(const movement& m) const {
        return std::abs(part_.rows_before(m.to) - part_.rows_before(m.from));
    }
    bool any_leads_out() const {
        bool any = false;
        for (round_index i = part_.first_round; i <= part_.last_round; ++i)
            for (const movement& m : run_.movements(i)) any |= leads_out(m);
        return any;
    }
    bool leads_out(const movement& m) const { return part_.has_end_of(m.from, m.to) && !inside(m); }

    double width() const {
        double widest = std::max(any_leads_out() ? 960.0 : 640.0, told_.width()); // as the legend
        for (const row_of_rounds& at : rows_)
            widest = std::max(widest, at.columns.back() + map_width_ + right_margin);
        return widest;
    }
    double height_of_row() const { return pitch_ * part_.ranks(); }
    /// Where the words of the rounds begin.
    double bottom() const { return rows_.back().top + height_of_row() + 16; }
    double height() const { return bottom() + told_.height(); }
    /// Of the middle of a map: the line of its rank.
    double axis(const row_of_rounds& at, rank_type r) const {
        return at.top + pitch_ * (part_.rows_before(r) + 0.5) - (labels_ ? 6 : 0);
    }

    /// Of the messages of round i.
    double middle(const row_of_rounds& at, round_index i) const {
        return (at.column(i) + map_width_ + at.column(i + 1)) / 2;
    }

    /// Such that the arrows of a round do not cover the ground between its columns: 1 where there are few.
    double opacity_of(const row_of_rounds& at, round_index i) const {
        constexpr double covered = 0.3; // of the ground, at most
        const double wide = at.column(i + 1) - at.column(i) - map_width_;
        double ink = 0;
        for (const movement& m : run_.movements(i))
            if (!m.local() && inside(m))
                ink += std::hypot(wide, pitch_ * rows_apart(m)) * arrow_width(m.folds);
        ink *= thinner();
        return std::clamp(covered * wide * height_of_row() / std::max(ink, 1.0), 0.05, 1.0);
    }
    /// Of arrows that come from those that go.
    double aside() const { return std::min(4.0, pitch_ / 6); }

    static constexpr double label_size = 10;
    static constexpr double apart = 2;         // the buffers of a rank
    static constexpr double most_wide = 2400;  // of a single row, some twenty rounds
    static constexpr double between_rows = 84; // for brackets and numbers of rounds
    static constexpr double right_margin = 24;

    const symbolic_run& run_;
    schedule_window part_;
    std::vector<rank_type> shown_; // from the top
    rounds_told told_;
    std::vector<buffer_name> buffers_; // from the top
    double top_;
    bool labels_; // there is room for words
    double map_height_;
    double pitch_; // of ranks
    double map_width_;
    std::vector<row_of_rounds> rows_;
};

} // namespace tutti::detail
#endif
