// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <tutti/core/relation.hpp>
#include <tutti/core/watcher.hpp>

#include "arguments.hpp"
#include "selection.hpp"

/// Who sends to whom in a multicast: relations by name, for the verbs that take one.
namespace program {

inline constexpr std::array<std::string_view, 5> relation_names{"everybody", "neighbours", "halves", "random",
                                                                "nobody"};
inline constexpr option relation_option{
    "--relation", "all|NAME,...", "of multicasts: everybody (default), neighbours, halves, random, nobody"};

/// The same, of a verb that takes one.
inline constexpr option one_relation_option{
    "--relation", "NAME", "of multicasts: everybody (default), neighbours, halves, random, nobody"};

/// Without multicasts if --collective is "all": for verbs of more ranks than a relation may have, which take
/// them by their name.
std::vector<candidate> multicasts_if_named(std::vector<candidate> list, const arguments& given);

/// One of relation_names, on so many ranks.
tutti::relation relation_named(std::string_view name, tutti::rank_type size);

/// By --relation.
std::vector<std::string_view> chosen_relations(const arguments& given, std::string_view usual);

/// Every multicast of the list once for each relation that is chosen, everybody by default.
std::vector<candidate> with_relations(const std::vector<candidate>& list, const arguments& given);

/// The same algorithm on so many ranks, with what makes the schedules over its relation, if it has one: all
/// of them at once. Not for one that it has made.
candidate over_relation(const candidate& what, tutti::rank_type size);
/// Over this one; `watch` is told how much of it is made.
candidate over_relation(const candidate& what, const tutti::relation& who, tutti::watcher watch = {});

} // namespace program
