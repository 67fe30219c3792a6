// SPDX-License-Identifier: BSL-1.0
#include "relation_choice.hpp"

#include <cstddef>
#include <random>

namespace program {

namespace {

/// Whether rank `from` sends to rank `to`, another one. `random` is used by those that are.
bool is_pair(std::string_view name, tutti::rank_type size, tutti::rank_type from, tutti::rank_type to,
             std::minstd_rand& random) {
    // Example with 5 ranks: neighbours of rank 0 are 4 and 1; of the halves, 0 and 1 send to 2, 3 and 4.
    if (name == "everybody") return true;
    if (name == "neighbours") return to == (from + 1) % size || from == (to + 1) % size;
    if (name == "halves") return from < size / 2 && to >= size / 2;
    if (name == "random") return random() / 1024 % 4 == 0; // its lowest bits are the worst
    return false;
}

} // namespace

tutti::relation relation_named(std::string_view name, tutti::rank_type size) {
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(size));
    std::vector<std::vector<tutti::rank_type>> targets(static_cast<std::size_t>(size));
    for (tutti::rank_type from = 0; from < size; ++from)
        for (tutti::rank_type to = 0; to < size; ++to)
            if (from != to && is_pair(name, size, from, to, random))
                targets[static_cast<std::size_t>(from)].push_back(to);
    return {size, targets};
}

std::vector<std::string_view> chosen_relations(const arguments& given) {
    return words("--relation", given.value("--relation", "all"), relation_names);
}

} // namespace program
