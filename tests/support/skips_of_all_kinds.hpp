// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include <tutti/pattern/skips.hpp>

namespace tutti::testing {

/// All skips behind `skips`, which are halves; what circulant_skips makes of a list, written down anew.
inline std::vector<rank_type> with_halves(std::vector<rank_type> skips) {
    while (skips.back() > 1) skips.push_back(skips.back() - skips.back() / 2);
    return skips;
}

/// Calls f(list, all skips that it stands for) for lists of `size` ranks: halving ones, those that fall by
/// one while there is room, and some at random, every other of which ends early.
template <class F>
void for_each_skips(rank_type size, std::mt19937& random, const F& f) {
    const auto call = [&](const std::vector<rank_type>& skips) {
        f(skip_list(std::span<const rank_type>(skips)), with_halves(skips));
    };
    call(with_halves({size}));
    std::vector<rank_type> by_one{size};
    while (by_one.back() > 1 && by_one.size() < skip_list::most) by_one.push_back(by_one.back() - 1);
    call(by_one);
    for (int i = 0; i < 6; ++i) {
        const std::size_t longest = i % 2 == 0 ? skip_list::most : 3;
        std::vector<rank_type> skips{size};
        while (skips.back() > 1 && skips.size() < longest)
            skips.push_back(
                std::uniform_int_distribution<rank_type>((skips.back() + 1) / 2, skips.back() - 1)(random));
        call(skips);
    }
}

} // namespace tutti::testing
