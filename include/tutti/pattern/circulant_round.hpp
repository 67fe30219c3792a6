// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/pattern/circulant_blocks.hpp>

namespace tutti {

/// What all ranks send in round k of a turn on the circulant graph, rank 0 being the one that gives blocks
/// away: circulant_blocks(rank, size).sent(k) for all of them at once, as runs of ranks that send the same.
///
/// The rule by which circulant_blocks finds what is sent splits the ranks by skips, long ones first, into a
/// lower part, whose peers are in the upper part, and that. So here: a part whose ranks all were in an upper
/// part once sends one block, but for those at its end that have to be asked.
///
/// Example with 5 ranks, k = 2, skip 3: rank 0 sends the new block 2, rank 1 its first block 0, rank 3, which
/// is asked, block -2, rank 4 block -1; rank 2 would send to rank 0.
/// Source: Träff 2024 (arXiv 2407.18004), send schedules.
class circulant_round {
public:
    /// Of 0 <= k < ceil(lg size).
    constexpr circulant_round(rank_type size, int k) noexcept : skips_(size), k_(k) {}

    /// Calls f(first rank, how many ranks, block) for runs that ascend and hold all ranks but the one that
    /// would send to rank 0. Blocks are counted as in circulant_blocks.
    template <class F>
    constexpr void for_each_sent(F&& f) const {
        const std::int64_t size = skips_[skips_.count()];
        if (k_ == 0)
            put_first(0, size, skips_.count(), f);
        else
            split(0, size, skips_.count() - 1, own_first, f);
    }

private:
    static constexpr int own_first = 0; // in place of a block: everybody's first one; others are negative

    /// The ranks start .. start + length - 1 about the skip of round `level` >= k.
    template <class F>
    constexpr void split(std::int64_t start, std::int64_t length, int level, int block, const F& f) const {
        const std::int64_t skip = skips_[level];
        const std::int64_t lower = std::min(length, skip);
        const std::int64_t upper = length - lower;
        const int newer = level - skips_.count(); // new in that round of the turn before
        if (level > k_) {
            split(start, lower, level - 1, block, f);
            if (upper > 0) split(start + skip, upper, level - 1, newer, f);
            return;
        }
        const std::int64_t sure = length < skips_[k_ - 1] ? lower : upper;
        put(start, sure, block, f);
        ask(start + sure, lower - sure, f);
        if (upper == 0) return;
        const std::int64_t asked = upper < skips_[k_ - 1] ? 0 : 1;
        ask(start + skip, asked, f);
        put(start + skip + asked, upper - asked, newer, f);
    }

    template <class F>
    constexpr void put(std::int64_t start, std::int64_t count, int block, const F& f) const {
        if (block == own_first) return put_first(start, count, 0, f);
        const std::int64_t none = nobody();
        if (start <= none && none < start + count) {
            if (none > start) f(static_cast<rank_type>(start), static_cast<rank_type>(none - start), block);
            count -= none + 1 - start;
            start = none + 1;
        }
        if (count > 0) f(static_cast<rank_type>(start), static_cast<rank_type>(count), block);
    }

    /// Everybody's first block, or what was that so many rounds ago; of rank 0 the new one.
    template <class F>
    constexpr void put_first(std::int64_t start, std::int64_t count, int ago, const F& f) const {
        for (std::int64_t rank = start; rank < start + count; ++rank)
            if (rank != nobody())
                f(static_cast<rank_type>(rank), rank_type{1},
                  rank == 0 ? k_ : skips_.first_block(rank) - ago);
    }

    template <class F>
    constexpr void ask(std::int64_t start, std::int64_t count, const F& f) const {
        for (std::int64_t rank = start; rank < start + count; ++rank)
            if (rank != nobody()) f(static_cast<rank_type>(rank), rank_type{1}, asked(rank));
    }
    constexpr int asked(std::int64_t rank) const noexcept {
        const std::int64_t peer = rank + skips_[k_];
        const std::int64_t size = skips_[skips_.count()];
        if (rank == 0) return k_;
        return detail::circulant_received(skips_, static_cast<rank_type>(peer < size ? peer : peer - size),
                                          k_);
    }

    /// Who would send to rank 0.  Example with 5 ranks, skip 3: rank 2.
    constexpr std::int64_t nobody() const noexcept { return skips_[skips_.count()] - skips_[k_]; }

    detail::rising_skips skips_;
    int k_;
};

} // namespace tutti
