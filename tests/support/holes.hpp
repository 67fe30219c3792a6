// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <tutti/core/slots.hpp>

/// Ways to lack nodes.
namespace tutti::testing {

/// Ranks in order on the slots that are not missing.
inline slot_map slots_without(rank_type slots, const std::vector<rank_type>& missing) {
    std::vector<rank_type> present;
    for (rank_type s = 0; s < slots; ++s)
        if (std::find(missing.begin(), missing.end(), s) == missing.end()) present.push_back(s);
    return {slots, present};
}

/// Calls f(missing) for every set of up to `most` of `slots` slots.
template <class F>
void for_each_few_holes(rank_type slots, std::size_t most, F&& f, std::vector<rank_type> missing = {}) {
    f(missing);
    if (missing.size() == most) return;
    for (rank_type s = missing.empty() ? 0 : missing.back() + 1; s < slots; ++s) {
        missing.push_back(s);
        for_each_few_holes(slots, most, f, missing);
        missing.pop_back();
    }
}

/// Some slots, anywhere between none and all but one; in order.
inline std::vector<rank_type> some_holes(rank_type slots, std::mt19937& random) {
    std::vector<rank_type> all(static_cast<std::size_t>(slots));
    std::iota(all.begin(), all.end(), rank_type{0});
    // By hand: what the standard's shuffle does with the numbers differs from library to library.
    for (std::size_t i = all.size() - 1; i > 0; --i) std::swap(all[i], all[random() % (i + 1)]);
    all.resize(random() % all.size());
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace tutti::testing
