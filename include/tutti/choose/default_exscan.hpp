// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/exscan/census.hpp>
#include <tutti/schedule/exscan/chain.hpp>
#include <tutti/schedule/exscan/doubling_123.hpp>
#include <tutti/schedule/exscan/two_tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::exscan, Whenever> {
    static constexpr collective C = later<Whenever>(collective::exscan);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, census>("census"), winner<C, doubling_123>("doubling_123"), winner<C, chain>("chain"), winner<C, two_tree>("two_tree")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 196607, "doubling_123"},
        {cores::own, true, 2, all, "chain", {{"segments", 4}}},
        {cores::own, true, 3, all, "doubling_123"},
        {cores::own, true, 6, 196607, "doubling_123"},
        {cores::own, true, 6, 1572863, "chain"},
        {cores::own, true, 6, all, "chain", {{"segments", 16}}},
        {cores::own, true, 8, 49151, "census"},
        {cores::own, true, 8, 393215, "chain"},
        {cores::own, true, 8, 3145727, "chain", {{"segments", 16}}},
        {cores::own, true, 8, all, "chain", {{"segments", 64}}},
        {cores::own, true, 12, 98303, "doubling_123"},
        {cores::own, true, 12, 1572863, "chain", {{"segments", 16}}},
        {cores::own, true, 12, all, "chain", {{"segments", 64}}},
        {cores::own, true, 16, 98303, "census"},
        {cores::own, true, 16, 786431, "chain", {{"segments", 16}}},
        {cores::own, true, 16, all, "chain", {{"segments", 64}}},
        {cores::own, true, 17, 49151, "doubling_123"},
        {cores::own, true, 17, 393215, "chain", {{"segments", 16}}},
        {cores::own, true, 17, all, "chain", {{"segments", 64}}},
        {cores::own, true, 48, 49151, "doubling_123"},
        {cores::own, true, 48, 786431, "two_tree", {{"segments", 8}}},
        {cores::own, true, 48, all, "chain", {{"segments", 64}}},
        {cores::own, true, many, 24575, "doubling_123"},
        {cores::own, true, many, 393215, "two_tree", {{"segments", 8}}},
        {cores::own, true, many, all, "two_tree", {{"segments", 32}}},
        {cores::shared, true, 3, 47, "doubling_123"},
        {cores::shared, true, 3, 196607, "chain", {{"segments", 1}}},
        {cores::shared, true, 3, 393215, "census"},
        {cores::shared, true, 3, 1572863, "chain", {{"segments", 4}}},
        {cores::shared, true, 3, all, "two_tree"},
        {cores::shared, true, 4, 191, "census"},
        {cores::shared, true, 4, 393215, "chain", {{"segments", 1}}},
        {cores::shared, true, 4, all, "chain", {{"segments", 4}}},
        {cores::shared, true, 6, 191, "doubling_123"},
        {cores::shared, true, 6, 393215, "chain", {{"segments", 1}}},
        {cores::shared, true, 6, all, "two_tree"},
        {cores::shared, true, 8, 191, "census"},
        {cores::shared, true, 8, 196607, "chain", {{"segments", 1}}},
        {cores::shared, true, 8, 1572863, "chain", {{"segments", 4}}},
        {cores::shared, true, 8, all, "chain", {{"segments", 64}}},
        {cores::shared, true, many, 191, "census"},
        {cores::shared, true, many, 393215, "chain", {{"segments", 1}}},
        {cores::shared, true, many, all, "chain", {{"segments", 16}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
