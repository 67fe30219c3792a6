// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce/halving_doubling.hpp>
#include <tutti/schedule/reduce/pairwise_ring.hpp>
#include <tutti/schedule/reduce/tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::reduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::reduce);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial>("fnomial"), winner<C, binary_tree>("binary_tree"), winner<C, halving_doubling>("halving_doubling"), winner<C, pairwise_ring>("pairwise_ring")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, 2, 786431, "binary_tree"},
        {cores::own, false, 2, all, "halving_doubling"},
        {cores::own, false, 3, 319, "fnomial", {{"radix", 4}}},
        {cores::own, false, 3, 1279, "binary_tree"},
        {cores::own, false, 3, 393215, "fnomial", {{"radix", 8}}},
        {cores::own, false, 3, all, "pairwise_ring"},
        {cores::own, false, 8, 5119, "fnomial"},
        {cores::own, false, 8, 81919, "fnomial", {{"radix", 8}}},
        {cores::own, false, 8, all, "pairwise_ring"},
        {cores::own, false, 12, 79, "binary_tree"},
        {cores::own, false, 12, 319, "fnomial"},
        {cores::own, false, 12, 5119, "binary_tree"},
        {cores::own, false, 12, 81919, "fnomial"},
        {cores::own, false, 12, all, "pairwise_ring"},
        {cores::own, false, 16, 79, "binary_tree"},
        {cores::own, false, 16, 319, "fnomial"},
        {cores::own, false, 16, 20479, "binary_tree"},
        {cores::own, false, 16, 393215, "halving_doubling"},
        {cores::own, false, 16, all, "pairwise_ring"},
        {cores::own, false, 24, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 24, 319, "fnomial"},
        {cores::own, false, 24, 1279, "fnomial", {{"radix", 4}}},
        {cores::own, false, 24, 20479, "fnomial", {{"radix", 8}}},
        {cores::own, false, 24, 81919, "halving_doubling"},
        {cores::own, false, 24, all, "pairwise_ring"},
        {cores::own, false, 32, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 32, 5119, "fnomial"},
        {cores::own, false, 32, all, "halving_doubling"},
        {cores::own, false, 48, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 48, 5119, "fnomial"},
        {cores::own, false, 48, 393215, "halving_doubling"},
        {cores::own, false, 48, all, "pairwise_ring"},
        {cores::own, false, 128, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 128, 5119, "fnomial"},
        {cores::own, false, 128, all, "halving_doubling"},
        {cores::own, false, many, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, many, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, false, many, 5119, "fnomial"},
        {cores::own, false, many, all, "halving_doubling"},
        {cores::own, true, 2, 786431, "binary_tree"},
        {cores::own, true, 2, all, "halving_doubling"},
        {cores::own, true, 3, 319, "serial"},
        {cores::own, true, 3, 1279, "binary_tree"},
        {cores::own, true, 3, 786431, "serial"},
        {cores::own, true, 3, 3145727, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 3, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 4, 393215, "serial"},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 5119, "binary_tree"},
        {cores::own, true, 6, 81919, "serial"},
        {cores::own, true, 6, 786431, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 6, 3145727, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 6, all, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 8, 5119, "binary_tree"},
        {cores::own, true, 8, 81919, "serial"},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 5119, "binary_tree"},
        {cores::own, true, 12, 81919, "serial"},
        {cores::own, true, 12, 786431, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 12, all, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 16, 20479, "binary_tree"},
        {cores::own, true, 16, all, "halving_doubling"},
        {cores::own, true, 24, 79, "binary_tree"},
        {cores::own, true, 24, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 24, 1279, "binary_tree"},
        {cores::own, true, 24, 1572863, "halving_doubling"},
        {cores::own, true, 24, all, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 128, 79, "binary_tree"},
        {cores::own, true, 128, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 128, 1279, "binary_tree"},
        {cores::own, true, 128, all, "halving_doubling"},
        {cores::own, true, 256, 79, "serial"},
        {cores::own, true, 256, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 256, 1279, "serial"},
        {cores::own, true, 256, all, "halving_doubling"},
        {cores::own, true, 512, 79, "binary_tree"},
        {cores::own, true, 512, 5119, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 512, all, "halving_doubling"},
        {cores::own, true, many, 5119, "binary_tree", {{"segments", 4}}},
        {cores::own, true, many, all, "halving_doubling"},
        {cores::shared, false, 3, 196607, "fnomial", {{"radix", 4}}},
        {cores::shared, false, 3, 786431, "fnomial", {{"radix", 8}}},
        {cores::shared, false, 3, all, "binary_tree", {{"segments", 8}}},
        {cores::shared, false, 4, 20479, "serial"},
        {cores::shared, false, 4, 196607, "fnomial"},
        {cores::shared, false, 4, 3145727, "pairwise_ring"},
        {cores::shared, false, 4, all, "fnomial", {{"segments", 8}}},
        {cores::shared, false, 6, 19, "serial"},
        {cores::shared, false, 6, 79, "fnomial", {{"radix", 4}}},
        {cores::shared, false, 6, 319, "fnomial"},
        {cores::shared, false, 6, 81919, "binary_tree"},
        {cores::shared, false, 6, 196607, "fnomial"},
        {cores::shared, false, 6, 393215, "binary_tree", {{"segments", 4}}},
        {cores::shared, false, 6, all, "pairwise_ring"},
        {cores::shared, false, many, 19, "fnomial", {{"radix", 8}}},
        {cores::shared, false, many, 319, "serial"},
        {cores::shared, false, many, 393215, "fnomial"},
        {cores::shared, false, many, all, "pairwise_ring"},
        {cores::shared, true, 3, 79, "serial"},
        {cores::shared, true, 3, 5119, "binary_tree"},
        {cores::shared, true, 3, 786431, "serial"},
        {cores::shared, true, 3, all, "binary_tree", {{"segments", 8}}},
        {cores::shared, true, 4, 81919, "serial"},
        {cores::shared, true, 4, 196607, "binary_tree"},
        {cores::shared, true, 4, 3145727, "halving_doubling"},
        {cores::shared, true, 4, all, "binary_tree", {{"segments", 64}}},
        {cores::shared, true, 6, 319, "serial"},
        {cores::shared, true, 6, 196607, "binary_tree"},
        {cores::shared, true, 6, 1572863, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 6, all, "binary_tree", {{"segments", 8}}},
        {cores::shared, true, many, 319, "serial"},
        {cores::shared, true, many, 81919, "binary_tree"},
        {cores::shared, true, many, 393215, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, many, all, "halving_doubling"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
