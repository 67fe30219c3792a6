// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/step.hpp>
#include <tutti/render/schedule_window.hpp>

namespace tutti {

namespace detail {

/// In which ways a rank does the same as the one before it: peers and blocks are the same, or those next to
/// them.
class likeness {
public:
    using ways = unsigned;                     ///< of the four, a bit each
    static constexpr ways in_any_way = 0b1111; ///< bit 0: peers and blocks are the same

    likeness(rank_type size, block_index blocks)
        : size_(size), blocks_(blocks), of_rank_(blocks % size == 0 ? blocks / size : 0) {}

    /// Of the same step of rank r and of rank r + 1.
    ways of(const step& one, const step& next) const {
        const bool same_peer = one.peer == next.peer;
        const bool next_peer = one.peer == no_rank ? same_peer : next.peer == mod(one.peer + 1, size_);
        const bool same_blocks = one.blocks == next.blocks;
        block_set moved = one.blocks;
        if (blocks_ > 0) moved.first = mod(moved.first + of_rank_, blocks_);
        const bool next_blocks = moved == next.blocks;
        step rest = next; // all but the two
        rest.peer = one.peer;
        rest.blocks = one.blocks;
        if (rest != one) return 0;
        return (same_peer && same_blocks ? 1U : 0U) | (next_peer && same_blocks ? 2U : 0U)
               | (same_peer && next_blocks ? 4U : 0U) | (next_peer && next_blocks ? 8U : 0U);
    }

private:
    rank_type size_;
    block_index blocks_;
    block_index of_rank_; // how many are next to each other; 0 where ranks have no blocks of their own
};

} // namespace detail

/// The window with one row for each run of ranks that do the same, step by step, in all rounds: with the same
/// peers or with those as far from themselves, on the same blocks or on those as far from their own. The
/// first of a run stands for all of it; runs of fewer than three are left as they are.
///
/// Throws as schedule_window::within(). Time: that of all steps; memory: the steps of two ranks.
/// Example with 5 ranks: of a bcast by serial, ranks 1 to 4 are one row, and of an allgather by ring all
/// five.
template <class G>
schedule_window fold_alike(const ensemble<G>& all, const schedule_window& shown = {}) {
    constexpr rank_type fewest = 3;
    schedule_window folded = shown.within(all.size(), all.rounds());
    folded.left_out.clear();
    const auto steps_of = [&](rank_type r) {
        std::vector<std::pair<round_index, step>> list;
        for (round_index i = 0; i < all.rounds(); ++i)
            all.emit(r, i, [&](const step& s) { list.push_back({i, s}); });
        return list;
    };
    const detail::likeness alike(all.size(), all.blocks());
    const auto ways_of = [&](const auto& one, const auto& next) {
        detail::likeness::ways ways = one.size() == next.size() ? detail::likeness::in_any_way : 0;
        for (std::size_t k = 0; k < one.size() && ways != 0; ++k)
            ways &= one[k].first == next[k].first ? alike.of(one[k].second, next[k].second) : 0;
        return ways;
    };
    const auto end_run = [&](rank_type first, rank_type end) {
        if (end - first >= fewest)
            for (rank_type r = first + 1; r < end; ++r) folded.left_out.push_back(r);
    };
    rank_type first = folded.first_rank;
    detail::likeness::ways ways = detail::likeness::in_any_way; // of all of the run
    auto before = steps_of(first);
    for (rank_type r = first + 1; r <= folded.last_rank; ++r) {
        auto now = steps_of(r);
        const detail::likeness::ways both = ways_of(before, now);
        if ((ways & both) == 0) {
            end_run(first, r);
            // Where it did the same as the one before, though not as those before that, the two may begin a
            // run.
            first = both != 0 && r - first < fewest ? r - 1 : r;
            ways = first == r ? detail::likeness::in_any_way : both;
        } else {
            ways &= both;
        }
        before = std::move(now);
    }
    end_run(first, folded.last_rank + 1);
    return folded;
}

} // namespace tutti
