// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <tutti/core/relation.hpp>

namespace support {

/// A relation in which each pair is there with `percent` chances out of 100; half of the ranks do not send at
/// all if not `all_send`. The lists are in no order, and some ranks name themselves. The same for the same
/// seed.
inline tutti::relation random_relation(tutti::rank_type size, unsigned percent, bool all_send,
                                       std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::vector<tutti::rank_type>> targets(static_cast<std::size_t>(size));
    for (auto& mine : targets) {
        if (!all_send && random() % 2 == 0) continue;
        for (tutti::rank_type r = size; r-- > 0;)
            if (random() % 100 < percent) mine.push_back(r);
        if (mine.size() > 1) std::swap(mine.front(), mine[random() % mine.size()]);
    }
    return {size, targets};
}

/// Nobody to anybody, few pairs, half of them, all; and the like with ranks that do not send.
inline std::vector<tutti::relation> some_relations(tutti::rank_type size, std::uint32_t seed) {
    std::vector<tutti::relation> all{random_relation(size, 0, true, seed), tutti::relation::all_to_all(size)};
    for (const bool all_send : {true, false})
        for (const unsigned percent : {5U, 50U, 100U})
            all.push_back(random_relation(size, percent, all_send, ++seed * 1000));
    return all;
}

} // namespace support
