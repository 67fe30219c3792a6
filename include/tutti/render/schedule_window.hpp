// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <tutti/core/block.hpp>
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

    /// Whether the round is shown.
    bool has_round(round_index i) const noexcept { return first_round <= i && i <= last_round; }
    /// Whether the rank is shown.
    bool has_rank(rank_type r) const noexcept { return first_rank <= r && r <= last_rank; }
    /// Whether a message between these two is shown, in a round that is.
    bool has_end_of(rank_type from, rank_type to) const noexcept { return has_rank(from) || has_rank(to); }
    /// How many ranks are shown, of a window that has been cut by within().
    rank_type ranks() const noexcept { return last_rank - first_rank + 1; }

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
        return all_ranks(size) && all_rounds(rounds);
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

/// What is shown, and how much leads out of it: "Rounds 2..4 of 10, ranks 0..63 of 256: 192 messages among
/// them, 64 to others, 64 from others." Nothing where all of a schedule is shown. Throws as
/// schedule_window::within().
template <class G>
std::string words_of_window(const ensemble<G>& all, const schedule_window& shown) {
    if (shown.whole(all.size(), all.rounds())) return {};
    const schedule_window part = shown.within(all.size(), all.rounds());
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
    return text.append(".");
}

} // namespace tutti
