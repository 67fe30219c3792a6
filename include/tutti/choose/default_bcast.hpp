// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast/tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::bcast, Whenever> {
    static constexpr collective C = later<Whenever>(collective::bcast);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial>("fnomial"), winner<C, kary>("kary"), winner<C, chain>("chain"), winner<C, binary_tree>("binary_tree"), winner<C, two_tree>("two_tree")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 196607, "fnomial"},
        {cores::own, true, 2, all, "chain", {{"segments", 4}}},
        {cores::own, true, 3, 3071, "serial"},
        {cores::own, true, 3, 6143, "fnomial"},
        {cores::own, true, 3, all, "fnomial", {{"radix", 4}}},
        {cores::own, true, 4, 191, "serial"},
        {cores::own, true, 4, 6143, "fnomial"},
        {cores::own, true, 4, all, "fnomial", {{"radix", 4}}},
        {cores::own, true, 6, 95, "fnomial", {{"radix", 8}}},
        {cores::own, true, 6, 383, "fnomial", {{"radix", 4}}},
        {cores::own, true, 6, 6143, "fnomial"},
        {cores::own, true, 6, all, "fnomial", {{"radix", 8}}},
        {cores::own, true, 8, 191, "fnomial", {{"radix", 4}}},
        {cores::own, true, 8, 6143, "fnomial"},
        {cores::own, true, 8, 3145727, "serial"},
        {cores::own, true, 8, all, "fnomial", {{"radix", 8}, {"segments", 8}}},
        {cores::own, true, 12, 6143, "fnomial"},
        {cores::own, true, 12, all, "serial"},
        {cores::own, true, 16, 3071, "fnomial"},
        {cores::own, true, 16, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 16, all, "serial"},
        {cores::own, true, 24, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 24, 24575, "fnomial", {{"radix", 16}}},
        {cores::own, true, 24, all, "serial"},
        {cores::own, true, 48, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 48, 49151, "fnomial", {{"radix", 8}}},
        {cores::own, true, 48, all, "serial"},
        {cores::own, true, 64, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 64, 98303, "fnomial", {{"radix", 8}}},
        {cores::own, true, 64, all, "serial"},
        {cores::own, true, 128, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 128, 196607, "fnomial", {{"radix", 16}}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, 256, 12287, "fnomial", {{"radix", 4}}},
        {cores::own, true, 256, 393215, "fnomial", {{"radix", 16}}},
        {cores::own, true, 256, 3145727, "fnomial", {{"radix", 16}, {"segments", 4}}},
        {cores::own, true, 256, all, "serial"},
        {cores::own, true, 512, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 512, 49151, "fnomial", {{"radix", 8}}},
        {cores::own, true, 512, 393215, "fnomial", {{"radix", 32}}},
        {cores::own, true, 512, 3145727, "fnomial", {{"radix", 32}, {"segments", 4}}},
        {cores::own, true, 512, all, "serial"},
        {cores::own, true, 1024, 12287, "fnomial", {{"radix", 4}}},
        {cores::own, true, 1024, 49151, "fnomial", {{"radix", 16}}},
        {cores::own, true, 1024, 786431, "fnomial", {{"radix", 32}}},
        {cores::own, true, 1024, 6291455, "fnomial", {{"radix", 32}, {"segments", 4}}},
        {cores::own, true, 1024, all, "serial"},
        {cores::own, true, many, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, many, 49151, "fnomial", {{"radix", 8}}},
        {cores::own, true, many, 393215, "kary", {{"segments", 16}}},
        {cores::own, true, many, 6291455, "kary", {{"segments", 32}}},
        {cores::own, true, many, 50331647, "fnomial", {{"radix", 16}, {"segments", 16}}},
        {cores::own, true, many, all, "serial"},
        {cores::shared, true, 3, 196607, "kary"},
        {cores::shared, true, 3, 786431, "binary_tree"},
        {cores::shared, true, 3, 1572863, "binary_tree", {{"segments", 8}}},
        {cores::shared, true, 3, all, "two_tree"},
        {cores::shared, true, 4, 24575, "serial"},
        {cores::shared, true, 4, 49151, "fnomial"},
        {cores::shared, true, 4, 196607, "binary_tree"},
        {cores::shared, true, 4, 3145727, "chain", {{"segments", 1}}},
        {cores::shared, true, 4, all, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 6, 49151, "serial"},
        {cores::shared, true, 6, 98303, "binary_tree"},
        {cores::shared, true, 6, 1572863, "chain", {{"segments", 1}}},
        {cores::shared, true, 6, all, "chain", {{"segments", 16}}},
        {cores::shared, true, 8, 98303, "serial"},
        {cores::shared, true, 8, 393215, "chain", {{"segments", 1}}},
        {cores::shared, true, 8, 1572863, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, true, 8, all, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, many, 393215, "serial"},
        {cores::shared, true, many, all, "fnomial", {{"radix", 8}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
