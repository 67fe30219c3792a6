// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <tutti/core/relation.hpp>

#include "arguments.hpp"

/// Who sends to whom in a multicast: relations by name, for the verbs that take one.
namespace program {

inline constexpr std::array<std::string_view, 5> relation_names{"everybody", "neighbours", "halves", "random",
                                                                "nobody"};
inline constexpr option relation_option{
    "--relation", "all|NAME,...",
    "of multicasts: everybody, neighbours, halves, random, nobody; all by default"};

/// One of relation_names, on so many ranks.
tutti::relation relation_named(std::string_view name, tutti::rank_type size);

/// By --relation.
std::vector<std::string_view> chosen_relations(const arguments& given);

} // namespace program
