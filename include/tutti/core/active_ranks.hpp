// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <tutti/core/ensemble.hpp>

namespace tutti {

/// The ranks that may have steps, round after round: a walk over the rounds of p ranks in a long chain takes
/// as long as there are steps, not rounds times ranks.
///
/// Example with 5 ranks, broadcast down a chain from 0: in rounds 0, 1, 2, 3 these are 0, 1; 1, 2; 2, 3;
/// 3, 4.
class active_ranks {
public:
    /// Begins at round `first`.
    template <class G>
    explicit active_ranks(const ensemble<G>& all, round_index first = 0) : now_(first) {
        coming_.reserve(static_cast<std::size_t>(all.size()));
        for (rank_type r = 0; r < all.size(); ++r) {
            const round_range when = all.active(r);
            if (!when.empty() && when.end > first) coming_.push_back({r, when});
        }
        const auto sooner = [](const entry& a, const entry& b) { return a.when.begin < b.when.begin; };
        if (!std::is_sorted(coming_.begin(), coming_.end(), sooner))
            std::stable_sort(coming_.begin(), coming_.end(), sooner);
        let_in();
    }

    /// Those of the round at hand, who came first first; those who came at the same time ascend.
    const std::vector<rank_type>& ranks() const noexcept { return ranks_; }
    /// The round that it stands at, from 0.
    round_index round() const noexcept { return now_; }

    /// Goes on to the next round.
    void next() {
        ++now_;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < ranks_.size(); ++k) {
            if (ends_[k] <= now_) continue;
            ranks_[kept] = ranks_[k];
            ends_[kept++] = ends_[k];
        }
        ranks_.resize(kept);
        ends_.resize(kept);
        let_in();
    }

private:
    struct entry {
        rank_type rank;
        round_range when;
    };

    void let_in() {
        for (; next_ < coming_.size() && coming_[next_].when.begin <= now_; ++next_) {
            ranks_.push_back(coming_[next_].rank);
            ends_.push_back(coming_[next_].when.end);
        }
    }

    round_index now_;
    std::vector<entry> coming_; // in the order in which they begin
    std::size_t next_ = 0;      // of them
    std::vector<rank_type> ranks_;
    std::vector<round_index> ends_; // of them
};

} // namespace tutti
