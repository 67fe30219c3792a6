// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <tutti/schedule/named.hpp>

namespace support {

/// How many values of every option tests try, besides the default.
inline constexpr std::size_t values_tried = 3;

/// Those of an algorithm's options, the i-th of each.
inline tutti::parameters tried_options(const tutti::catalogue_entry& entry, std::size_t i) {
    struct some_values {
        const char* option;
        std::array<int, values_tried> values;
    };
    constexpr some_values all[]{{"radix", {3, 4, 16}},        {"arity", {1, 3, 8}}, {"splits", {0, 2, 5}},
                                {"segments", {1, 2, 9}},      {"k", {1, 4, 16}},    {"zeta", {1, 2, 30}},
                                {"outstanding", {2, 3, 100}}, {"pace", {0, 5, 1}},  {"pieces", {1, 2, 9}},
                                {"message_blocks", {1, 2, 9}}};
    tutti::parameters given;
    for (const auto& [option, values] : all)
        if (entry.defaults.find(option) != nullptr) given.set(option, values[i]);
    return given;
}

/// All algorithms of a collective, with the defaults and all else that is tried.
inline std::vector<tutti::named> all_options_of(tutti::collective what) {
    std::vector<tutti::named> all;
    for (const tutti::catalogue_entry& entry : tutti::catalogue_of(what)) {
        std::vector<tutti::parameters> seen{entry.defaults};
        for (std::size_t i = 0; i < values_tried; ++i) {
            const tutti::parameters taken = tutti::effective(entry, tried_options(entry, i));
            if (std::find(seen.begin(), seen.end(), taken) == seen.end()) seen.push_back(taken);
        }
        for (const tutti::parameters& taken : seen) all.push_back({entry.name, taken});
    }
    return all;
}

} // namespace support
