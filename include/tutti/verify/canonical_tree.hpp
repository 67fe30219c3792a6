// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/verify/value.hpp>

namespace tutti::detail {

/// The trees of capabilities::canonical_tree, as hashes.
class canonical_trees {
public:
    /// Of up to `size` ranks.
    explicit canonical_trees(rank_type size) {
        std::vector<std::uint64_t> ranks;
        for (rank_type r = 0; r < size; ++r) ranks.push_back(tree_of_leaf(r));
        full_.push_back(std::move(ranks));
        while (full_.back().size() > 1) {
            const std::vector<std::uint64_t>& halves = full_.back();
            std::vector<std::uint64_t> whole;
            for (std::size_t i = 0; i + 1 < halves.size(); i += 2)
                whole.push_back(tree_of_fold(halves[i], halves[i + 1]));
            full_.push_back(std::move(whole));
        }
    }

    /// Of ranks 0 to n-1, 1 <= n <= size. Full trees stand where the bits of n are, the largest first, and
    /// each is folded with all behind it.  Example with 5 ranks, 101: the tree of 0..3 with that of 4.
    std::uint64_t of(rank_type n) const noexcept {
        std::uint64_t tree = 0;
        bool is_last = true;
        for (std::size_t k = 0; (n >> k) > 0; ++k) {
            const auto number = static_cast<std::size_t>(n >> k);
            if (number % 2 == 0) continue;
            const std::uint64_t full = full_[k][number - 1];
            tree = is_last ? full : tree_of_fold(full, tree);
            is_last = false;
        }
        return tree;
    }

private:
    std::vector<std::vector<std::uint64_t>> full_; // [k][i]: of ranks i 2^k .. (i + 1) 2^k - 1
};

} // namespace tutti::detail
