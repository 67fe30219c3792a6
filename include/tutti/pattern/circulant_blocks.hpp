// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/pattern/skips.hpp>

namespace tutti {

namespace detail {

/// The skips of the circulant graph, short ones first, and behind them the number of ranks.
/// Example with 5 ranks: 1, 2, 3 and 5.
class rising_skips {
public:
    constexpr explicit rising_skips(rank_type size) noexcept : count_(ceil_log2(size)) {
        for (int k = 0; k <= count_; ++k) skips_[k] = halving_skip(size, count_ - k);
    }
    constexpr int count() const noexcept { return count_; }
    constexpr std::int64_t operator[](int k) const noexcept { return skips_[k]; }

    /// The block that `rank` has first: it leaves rank 0 by the last of the skips, long ones first, that lead
    /// from there to `rank`. Of rank 0 itself count().
    /// Example with 5 ranks: 4 = 3 + 1, so block 0 goes to 1 in round 0 and to 4 in round 2.
    constexpr int first_block(std::int64_t rank) const noexcept {
        int k = count_;
        while (rank > 0)
            if (rank >= skips_[--k]) rank -= skips_[k];
        return k;
    }

private:
    int count_;
    std::int64_t skips_[32] = {};
};

/// Finds what `rank` receives in rounds 0, 1, ..., by less than 4 looks for each. In round k it is the first
/// block of one of the ranks that are at least skip k, but less than skip k+1 behind it: of those whose block
/// was not found for an earlier round the nearest. Rank 0 stands for the new block, which is the first one of
/// `rank`. Ranks are counted on beyond the last, so that all of them are behind `rank`, and reached from 0 by
/// shorter and shorter skips.
/// Example with 5 ranks: rank 4, counted as 9, has 0 first. It receives in round 0 the first block of 8,
/// which is rank 3: 2; in round 1 that of 7, rank 2: 1; in round 2 not that of 6, rank 1: 0, but that of 5,
/// rank 0.
class circulant_search {
public:
    constexpr circulant_search(const rising_skips& skips, rank_type rank, std::int8_t* received) noexcept
        : skips_(skips), end_(rank + skips[skips.count()]), last_(end_), received_(received) {
        const int q = skips.count();
        const int own = skips.first_block(rank);
        free_ = (std::uint64_t{2} << q) - 1;
        take(own);
        search(0, q);
        // Of the turn before are all but the new one.
        for (int k = 0; k < q; ++k)
            received[k] = static_cast<std::int8_t>((received[k] == q ? own + q : received[k]) - q);
    }

private:
    /// Goes through the ranks that `longest` and shorter skips lead to from `from`, the nearest first.
    constexpr void search(std::int64_t from, int longest) noexcept {
        for (int k = free_below(longest + 1); k >= 0; k = free_below(k)) {
            const std::int64_t to = from + skips_[k];
            if (to > end_ - skips_[found_] || to >= last_) continue;
            if (to <= end_ - skips_[found_ + 1]) search(to, k);
            if (found_ == skips_.count() || from > end_ - skips_[found_ + 1]) return;
            last_ = to;
            received_[found_++] = static_cast<std::int8_t>(k);
            if (found_ == skips_.count()) return;
            take(k);
        }
    }
    constexpr void take(int block) noexcept { free_ &= ~(std::uint64_t{1} << block); }
    /// The last block below `bound` that is not found yet, or -1.
    constexpr int free_below(int bound) const noexcept {
        return static_cast<int>(std::bit_width(free_ & ((std::uint64_t{1} << bound) - 1))) - 1;
    }

    const rising_skips& skips_;
    std::int64_t end_;       // `rank`, with all ranks behind it
    std::int64_t last_;      // the rank whose block was found last
    std::uint64_t free_ = 0; // blocks that are not found yet
    int found_ = 0;          // rounds that are done
    std::int8_t* received_;
};

/// What `rank` receives in round k of a turn: the search for all rounds, of which one is wanted.
constexpr std::int8_t circulant_received(const rising_skips& skips, rank_type rank, int k) noexcept {
    std::int8_t received[31] = {};
    circulant_search(skips, rank, received);
    return received[k];
}

} // namespace detail

/// Which blocks a rank receives and sends on the circulant graph while rank 0 gives away a new block in every
/// round. In round i rank r sends to rank r + s and receives from rank r - s, where s is the k-th of q =
/// ceil(lg p) rising skips and k = i mod q; the blocks are sent(k) + i - k and received(k) + i - k, where
/// those below 0 are none. So every q rounds make a turn, with blocks q further on. In a turn a rank receives
/// q blocks, none of which it had, and it only sends what it had before the round.
///
/// Rank 0 has all blocks: what received() says of it, and sent() of a round in which it would be the peer, is
/// void.
///
/// Example with 5 ranks, skips 1, 2, 3: rank 1 receives blocks 0, -1, -2 from ranks 0, 4, 3 and sends -3, -3,
/// 0 to ranks 2, 3, 4; in the next turn it receives 3, 2, 1 and sends 0, 0, 3.
///
/// Costs O(log p) when it is made: what is sent takes at most five searches more than what is received.
/// Source: Träff 2024 (arXiv 2407.18004), receive and send schedules.
class circulant_blocks {
public:
    /// Of 0 <= `rank` < `size`.
    constexpr circulant_blocks(rank_type rank, rank_type size) noexcept {
        const detail::rising_skips skips(size);
        turn_ = static_cast<std::int8_t>(skips.count());
        detail::circulant_search(skips, rank, received_);
        if (rank == 0)
            for (int k = 0; k < most; ++k) sent_[k] = static_cast<std::int8_t>(k);
        else
            find_sent(skips, rank, size);
    }

    /// q, the rounds of a turn.
    constexpr int turn() const noexcept { return turn_; }
    /// The block that it receives in round k < turn() of the first turn; below 0: none. Void for rank 0.
    constexpr int received(int k) const noexcept { return received_[k]; }
    /// The block that it sends in that round; below 0: none. Void in a round whose peer is rank 0.
    constexpr int sent(int k) const noexcept { return sent_[k]; }

private:
    static constexpr int most = 31;

    /// What is sent is what the peer receives. From the last round of a turn back to the first, the ranks
    /// about `rank`, which is `offset` among `length` of them, fall into a lower part, whose peers are in the
    /// upper part, and that. A rank sends its first block until it is in an upper part, then the block that
    /// was new in that round of the turn before. Where a part ends this need not be so, and the peer is
    /// asked.
    constexpr void find_sent(const detail::rising_skips& skips, rank_type rank, rank_type size) noexcept {
        const int first = skips.first_block(rank);
        int block = first;
        std::int64_t offset = rank;
        std::int64_t length = size;
        for (int k = turn_ - 1; k > 0; --k) {
            bool known = false;
            if (offset < skips[k]) {
                known = offset + skips[k] < length || length < skips[k - 1];
                length = std::min(length, skips[k]);
            } else {
                offset -= skips[k];
                length -= skips[k];
                block = k - turn_;
                known = offset > 0 || length < skips[k - 1];
            }
            sent_[k] = known ? static_cast<std::int8_t>(block)
                             : detail::circulant_received(
                                 skips, ahead(rank, static_cast<rank_type>(skips[k]), size), k);
        }
        sent_[0] = static_cast<std::int8_t>(first - turn_);
    }

    std::int8_t turn_ = 0;
    std::int8_t received_[most] = {};
    std::int8_t sent_[most] = {};
};

} // namespace tutti
