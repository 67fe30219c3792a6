// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// The part of a schedule that is shown: rounds and ranks from the first to the last, both included. All of
/// it unless told. A message with an end on such a rank belongs to it.
struct schedule_window {
    round_index first_round = 0;                                      ///< from 0
    round_index last_round = std::numeric_limits<round_index>::max(); ///< this one, too
    rank_type first_rank = 0;                                         ///< from 0
    rank_type last_rank = std::numeric_limits<rank_type>::max();      ///< this one, too
    /// Ranks between those that have no row of their own, ascending: they do the same as the last one before
    /// them that has one. See fold_alike(); schedule_svg() and schedule_text() heed it.
    std::vector<rank_type> left_out{};
    /// How wide schedule_svg() may draw rounds, in pixels: they stand in as many rows as that takes, of one
    /// round at least. 0: as wide as high, roughly, if one row is too long for a sheet.
    double most_width = 0;

    /// Whether the round is shown.
    bool has_round(round_index i) const noexcept { return first_round <= i && i <= last_round; }
    /// Whether the rank is shown.
    bool has_rank(rank_type r) const noexcept {
        return first_rank <= r && r <= last_rank && !std::binary_search(left_out.begin(), left_out.end(), r);
    }
    /// Whether a message between these two is shown, in a round that is.
    bool has_end_of(rank_type from, rank_type to) const noexcept { return has_rank(from) || has_rank(to); }
    /// How many ranks are shown, of a window that has been cut by within().
    rank_type ranks() const noexcept { return rows_before(last_rank + 1); }
    /// How many of them stand above rank `r`.
    rank_type rows_before(rank_type r) const noexcept {
        const auto left = std::lower_bound(left_out.begin(), left_out.end(), r) - left_out.begin();
        return r - first_rank - static_cast<rank_type>(left);
    }
    /// The last one that the row of rank `r` stands for: `r` itself where it stands for no other.
    rank_type row_ends_with(rank_type r) const noexcept {
        auto next = std::upper_bound(left_out.begin(), left_out.end(), r);
        while (next != left_out.end() && *next == r + 1) ++next, ++r;
        return r;
    }

    /// Cut to what there is. Throws argument_error if nothing is left; no rounds of a schedule that has none
    /// are all of it.
    schedule_window within(rank_type size, round_index rounds) const {
        schedule_window cut = *this;
        cut.last_rank = std::min(last_rank, size - 1);
        cut.last_round = std::min(last_round, rounds - 1);
        if (first_rank < 0 || first_rank > cut.last_rank)
            throw argument_error("ranks that are shown", text_of(first_rank, last_rank),
                                 "ranks 0 to " + std::to_string(size - 1) + ", the first before the last");
        if (first_round < 0 || (first_round > cut.last_round && (first_round > 0 || rounds > 0)))
            throw argument_error("rounds that are shown", text_of(first_round, last_round),
                                 "rounds 0 to " + std::to_string(rounds - 1) + ", the first before the last");
        return cut;
    }
    /// Whether it is all of a schedule of so many ranks and rounds.
    bool whole(rank_type size, round_index rounds) const noexcept {
        return all_ranks(size) && all_rounds(rounds) && left_out.empty();
    }
    /// Whether all ranks are shown.
    bool all_ranks(rank_type size) const noexcept { return first_rank == 0 && last_rank >= size - 1; }
    /// Whether all rounds are shown.
    bool all_rounds(round_index rounds) const noexcept {
        return first_round == 0 && last_round >= rounds - 1;
    }

    /// "3..7"; "3" if that is all.
    static std::string text_of(std::int64_t first, std::int64_t last) {
        std::string text = std::to_string(first);
        if (first != last) text.append("..").append(std::to_string(last));
        return text;
    }
};

namespace detail {
/// "One row stands for ranks 4..63, which do the same." Nothing where every rank has its own.
std::string words_of_rows(const schedule_window& part);
} // namespace detail

/// What is shown, and how much leads out of it: "Rounds 2..4 of 10, ranks 0..63 of 256: 192 messages among
/// them, 64 to others, 64 from others." Of rows that stand for several ranks: "One row stands for
/// ranks 4..63, which do the same." Nothing where all of a schedule is shown. Throws as
/// schedule_window::within().
template <class G>
std::string words_of_window(const ensemble<G>& all, const schedule_window& shown) {
    if (shown.whole(all.size(), all.rounds())) return {};
    schedule_window part = shown.within(all.size(), all.rounds());
    const std::string rows = detail::words_of_rows(part);
    if (part.all_ranks(all.size()) && part.all_rounds(all.rounds())) return rows;
    part.left_out.clear(); // their messages are drawn, as those of others
    std::int64_t among = 0, to_others = 0, from_others = 0;
    for (round_index i = part.first_round; i <= part.last_round; ++i)
        for (rank_type r = 0; r < all.size(); ++r)
            all.emit(r, i, [&](const step& s) {
                if (s.kind != step_kind::send || s.continues() || !part.has_end_of(r, s.peer)) return;
                ++(!part.has_rank(r) ? from_others : !part.has_rank(s.peer) ? to_others : among);
            });
    const auto range = [](const char* what, std::int64_t first, std::int64_t last, std::int64_t of) {
        return std::string(what)
            .append(first == last ? " " : "s ")
            .append(schedule_window::text_of(first, last))
            .append(" of ")
            .append(std::to_string(of));
    };
    const bool all_ranks = part.all_ranks(all.size());
    std::string text;
    if (!part.all_rounds(all.rounds()))
        text = range("Round", part.first_round, part.last_round, all.rounds());
    if (!all_ranks)
        text.append(text.empty() ? "" : ", ")
            .append(range(text.empty() ? "Rank" : "rank", part.first_rank, part.last_rank, all.size()));
    text.append(": ").append(std::to_string(among)).append(among == 1 ? " message" : " messages");
    if (!all_ranks)
        text.append(" among them, ")
            .append(std::to_string(to_others))
            .append(" to others, ")
            .append(std::to_string(from_others))
            .append(" from others");
    return text.append(rows.empty() ? "." : ". ").append(rows);
}

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string words_of_rows(const schedule_window& part) {
    if (part.left_out.empty()) return {};
    std::string rows;
    for (rank_type r = part.first_rank; r <= part.last_rank; r = part.row_ends_with(r) + 1)
        if (part.row_ends_with(r) > r)
            rows.append(rows.empty() ? "One row stands for ranks " : ", another for ranks ")
                .append(schedule_window::text_of(r, part.row_ends_with(r)));
    return rows.append(", which do the same.");
}
} // namespace detail
#endif

} // namespace tutti
