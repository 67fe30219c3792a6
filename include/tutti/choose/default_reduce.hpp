// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_halving_doubling.hpp>
#include <tutti/schedule/reduce_ring.hpp>
#include <tutti/schedule/reduce_tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::reduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::reduce);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial>("fnomial"), winner<C, binary_tree>("binary_tree"), winner<C, halving_doubling>("halving_doubling"), winner<C, ring>("ring")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, 2, 163839, "serial"},
        {cores::own, false, 2, 2621439, "fnomial", {{"radix", 4}}},
        {cores::own, false, 2, all, "binary_tree", {{"segments", 8}}},
        {cores::own, false, 3, 655359, "serial"},
        {cores::own, false, 3, all, "binary_tree", {{"segments", 64}}},
        {cores::own, false, 4, 35, "serial"},
        {cores::own, false, 4, 287, "fnomial"},
        {cores::own, false, 4, 655359, "serial"},
        {cores::own, false, 4, all, "halving_doubling"},
        {cores::own, false, 6, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, 6, 287, "fnomial"},
        {cores::own, false, 6, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, false, 6, 655359, "serial"},
        {cores::own, false, 6, 2621439, "halving_doubling"},
        {cores::own, false, 6, all, "binary_tree", {{"segments", 64}}},
        {cores::own, false, 8, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, 8, 287, "fnomial"},
        {cores::own, false, 8, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, false, 8, 163839, "serial"},
        {cores::own, false, 8, all, "halving_doubling"},
        {cores::own, false, 12, 10239, "fnomial", {{"radix", 4}}},
        {cores::own, false, 12, 163839, "serial"},
        {cores::own, false, 12, 2621439, "halving_doubling"},
        {cores::own, false, 12, all, "binary_tree", {{"segments", 64}}},
        {cores::own, false, 16, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, 16, 287, "fnomial"},
        {cores::own, false, 16, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, false, 16, 40959, "fnomial", {{"radix", 8}}},
        {cores::own, false, 16, all, "halving_doubling"},
        {cores::own, false, 24, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, 24, 287, "fnomial"},
        {cores::own, false, 24, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, false, 24, 40959, "fnomial", {{"radix", 8}}},
        {cores::own, false, 24, 2621439, "halving_doubling"},
        {cores::own, false, 24, all, "binary_tree", {{"segments", 64}}},
        {cores::own, false, 32, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, 32, 2303, "fnomial"},
        {cores::own, false, 32, all, "halving_doubling"},
        {cores::own, false, 48, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, 48, 10239, "fnomial"},
        {cores::own, false, 48, 2621439, "halving_doubling"},
        {cores::own, false, 48, all, "binary_tree", {{"segments", 64}}},
        {cores::own, false, many, 35, "fnomial", {{"radix", 4}}},
        {cores::own, false, many, 2303, "fnomial"},
        {cores::own, false, many, all, "halving_doubling"},
        {cores::own, true, 2, 163839, "serial"},
        {cores::own, true, 2, 2621439, "fnomial", {{"radix", 4}}},
        {cores::own, true, 2, all, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 3, 655359, "serial"},
        {cores::own, true, 3, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 4, 655359, "serial"},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 655359, "serial"},
        {cores::own, true, 6, 2621439, "halving_doubling"},
        {cores::own, true, 6, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 8, 35, "serial"},
        {cores::own, true, 8, 287, "halving_doubling"},
        {cores::own, true, 8, 163839, "serial"},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 35, "serial"},
        {cores::own, true, 12, 287, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 12, 163839, "serial"},
        {cores::own, true, 12, 2621439, "halving_doubling"},
        {cores::own, true, 12, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 16, 35, "binary_tree"},
        {cores::own, true, 16, 287, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 16, 2303, "binary_tree"},
        {cores::own, true, 16, all, "halving_doubling"},
        {cores::own, true, 24, 35, "binary_tree"},
        {cores::own, true, 24, 287, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 24, 2303, "binary_tree"},
        {cores::own, true, 24, 2621439, "halving_doubling"},
        {cores::own, true, 24, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 32, 35, "binary_tree"},
        {cores::own, true, 32, 287, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 32, 2303, "binary_tree"},
        {cores::own, true, 32, all, "halving_doubling"},
        {cores::own, true, 48, 35, "binary_tree"},
        {cores::own, true, 48, 287, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 48, 2303, "binary_tree"},
        {cores::own, true, 48, 2621439, "halving_doubling"},
        {cores::own, true, 48, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 128, 35, "binary_tree"},
        {cores::own, true, 128, 287, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 128, all, "halving_doubling"},
        {cores::own, true, many, 35, "binary_tree"},
        {cores::own, true, many, 2303, "binary_tree", {{"segments", 4}}},
        {cores::own, true, many, all, "halving_doubling"},
        {cores::shared, false, 3, 2621439, "fnomial", {{"radix", 4}}},
        {cores::shared, false, 3, all, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, false, 4, 163839, "serial"},
        {cores::shared, false, 4, 655359, "binary_tree", {{"segments", 4}}},
        {cores::shared, false, 4, all, "fnomial", {{"segments", 4}}},
        {cores::shared, false, 6, 35, "fnomial", {{"radix", 8}}},
        {cores::shared, false, 6, 163839, "serial"},
        {cores::shared, false, 6, all, "binary_tree", {{"segments", 4}}},
        {cores::shared, false, 8, 40959, "serial"},
        {cores::shared, false, 8, 655359, "fnomial"},
        {cores::shared, false, 8, 2621439, "halving_doubling"},
        {cores::shared, false, 8, all, "binary_tree", {{"segments", 16}}},
        {cores::shared, false, many, 287, "serial"},
        {cores::shared, false, many, 163839, "fnomial", {{"radix", 8}}},
        {cores::shared, false, many, 655359, "fnomial", {{"radix", 4}}},
        {cores::shared, false, many, all, "fnomial", {{"radix", 8}}},
        {cores::shared, true, 3, 287, "binary_tree"},
        {cores::shared, true, 3, all, "serial"},
        {cores::shared, true, 6, 163839, "serial"},
        {cores::shared, true, 6, all, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 8, 163839, "serial"},
        {cores::shared, true, 8, 655359, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 8, 2621439, "halving_doubling"},
        {cores::shared, true, 8, all, "binary_tree", {{"segments", 16}}},
        {cores::shared, true, many, 40959, "serial"},
        {cores::shared, true, many, 2621439, "binary_tree"},
        {cores::shared, true, many, all, "binary_tree", {{"segments", 8}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
