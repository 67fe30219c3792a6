// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/scan/binary_tree.hpp>
#include <tutti/schedule/scan/chain.hpp>
#include <tutti/schedule/scan/hillis_steele.hpp>
#include <tutti/schedule/scan/two_tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::scan, Whenever> {
    static constexpr collective C = later<Whenever>(collective::scan);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, hillis_steele>("hillis_steele"), winner<C, binary_tree>("binary_tree"), winner<C, chain>("chain"), winner<C, two_tree>("two_tree")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 1535, "hillis_steele"},
        {cores::own, true, 2, 3071, "two_tree", {{"segments", 1}}},
        {cores::own, true, 2, 12287, "chain", {{"segments", 4}}},
        {cores::own, true, 2, 24575, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 2, 49151, "chain", {{"segments", 16}}},
        {cores::own, true, 2, 196607, "two_tree", {{"segments", 16}}},
        {cores::own, true, 2, all, "hillis_steele"},
        {cores::own, true, 3, 196607, "hillis_steele"},
        {cores::own, true, 3, 786431, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 3, all, "chain"},
        {cores::own, true, 6, 49151, "hillis_steele"},
        {cores::own, true, 6, 393215, "chain"},
        {cores::own, true, 6, all, "chain", {{"segments", 16}}},
        {cores::own, true, 12, 24575, "hillis_steele"},
        {cores::own, true, 12, 196607, "chain"},
        {cores::own, true, 12, 786431, "chain", {{"segments", 16}}},
        {cores::own, true, 12, all, "chain", {{"segments", 64}}},
        {cores::own, true, 16, 24575, "hillis_steele"},
        {cores::own, true, 16, 49151, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 16, 98303, "chain"},
        {cores::own, true, 16, 786431, "chain", {{"segments", 16}}},
        {cores::own, true, 16, all, "chain", {{"segments", 64}}},
        {cores::own, true, 17, 49151, "hillis_steele"},
        {cores::own, true, 17, 786431, "chain", {{"segments", 32}}},
        {cores::own, true, 17, all, "chain", {{"segments", 64}}},
        {cores::own, true, 32, 49151, "hillis_steele"},
        {cores::own, true, 32, 393215, "two_tree", {{"segments", 8}}},
        {cores::own, true, 32, all, "chain", {{"segments", 64}}},
        {cores::own, true, 64, 49151, "hillis_steele"},
        {cores::own, true, 64, 786431, "two_tree", {{"segments", 8}}},
        {cores::own, true, 64, all, "chain", {{"segments", 64}}},
        {cores::own, true, 128, 24575, "hillis_steele"},
        {cores::own, true, 128, 786431, "two_tree", {{"segments", 8}}},
        {cores::own, true, 128, all, "two_tree", {{"segments", 32}}},
        {cores::own, true, many, 12287, "hillis_steele"},
        {cores::own, true, many, 393215, "two_tree", {{"segments", 8}}},
        {cores::own, true, many, all, "two_tree", {{"segments", 32}}},
        {cores::shared, true, 3, 6143, "chain", {{"segments", 1}}},
        {cores::shared, true, 3, 24575, "hillis_steele"},
        {cores::shared, true, 3, 393215, "binary_tree"},
        {cores::shared, true, 3, 1572863, "chain"},
        {cores::shared, true, 3, all, "binary_tree", {{"segments", 16}}},
        {cores::shared, true, 4, 191, "hillis_steele"},
        {cores::shared, true, 4, 24575, "chain", {{"segments", 1}}},
        {cores::shared, true, 4, 786431, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 4, all, "binary_tree", {{"segments", 8}}},
        {cores::shared, true, 6, 191, "hillis_steele"},
        {cores::shared, true, 6, 49151, "chain", {{"segments", 1}}},
        {cores::shared, true, 6, 393215, "chain", {{"segments", 4}}},
        {cores::shared, true, 6, all, "chain"},
        {cores::shared, true, 8, 191, "hillis_steele"},
        {cores::shared, true, 8, 98303, "chain", {{"segments", 1}}},
        {cores::shared, true, 8, 393215, "chain", {{"segments", 4}}},
        {cores::shared, true, 8, all, "chain"},
        {cores::shared, true, many, 191, "hillis_steele"},
        {cores::shared, true, many, 196607, "chain", {{"segments", 1}}},
        {cores::shared, true, many, 786431, "chain", {{"segments", 4}}},
        {cores::shared, true, many, all, "chain"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
