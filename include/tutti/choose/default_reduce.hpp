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
        {cores::own, false, 2, all, "binary_tree"},
        {cores::own, false, 3, 1310719, "serial"},
        {cores::own, false, 3, all, "binary_tree", {{"segments", 64}}},
        {cores::own, false, 4, 79, "serial"},
        {cores::own, false, 4, 319, "fnomial"},
        {cores::own, false, 4, 327679, "serial"},
        {cores::own, false, 4, 1310719, "binary_tree", {{"segments", 16}}},
        {cores::own, false, 4, all, "halving_doubling"},
        {cores::own, false, 6, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 6, 319, "fnomial"},
        {cores::own, false, 6, 1279, "fnomial", {{"radix", 4}}},
        {cores::own, false, 6, 327679, "serial"},
        {cores::own, false, 6, all, "ring"},
        {cores::own, false, 8, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 8, 319, "fnomial"},
        {cores::own, false, 8, 5119, "fnomial", {{"radix", 4}}},
        {cores::own, false, 8, 327679, "serial"},
        {cores::own, false, 8, all, "halving_doubling"},
        {cores::own, false, 12, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 12, 319, "fnomial"},
        {cores::own, false, 12, 5119, "fnomial", {{"radix", 4}}},
        {cores::own, false, 12, 81919, "serial"},
        {cores::own, false, 12, all, "ring"},
        {cores::own, false, 16, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 16, 319, "fnomial"},
        {cores::own, false, 16, 1279, "fnomial", {{"radix", 4}}},
        {cores::own, false, 16, 20479, "fnomial", {{"radix", 8}}},
        {cores::own, false, 16, all, "halving_doubling"},
        {cores::own, false, 24, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 24, 319, "fnomial"},
        {cores::own, false, 24, 1279, "fnomial", {{"radix", 4}}},
        {cores::own, false, 24, 20479, "fnomial", {{"radix", 8}}},
        {cores::own, false, 24, 81919, "halving_doubling"},
        {cores::own, false, 24, all, "ring"},
        {cores::own, false, 32, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 32, 5119, "fnomial"},
        {cores::own, false, 32, all, "halving_doubling"},
        {cores::own, false, 48, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, 48, 5119, "fnomial"},
        {cores::own, false, 48, 327679, "halving_doubling"},
        {cores::own, false, 48, all, "ring"},
        {cores::own, false, many, 79, "fnomial", {{"radix", 4}}},
        {cores::own, false, many, 5119, "fnomial"},
        {cores::own, false, many, all, "halving_doubling"},
        {cores::own, true, 2, all, "binary_tree"},
        {cores::own, true, 3, 1310719, "serial"},
        {cores::own, true, 3, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 4, 327679, "serial"},
        {cores::own, true, 4, 1310719, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 327679, "serial"},
        {cores::own, true, 6, 1310719, "halving_doubling"},
        {cores::own, true, 6, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 8, 79, "serial"},
        {cores::own, true, 8, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 8, 327679, "serial"},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 79, "serial"},
        {cores::own, true, 12, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 12, 327679, "serial"},
        {cores::own, true, 12, 1310719, "halving_doubling"},
        {cores::own, true, 12, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 16, 79, "binary_tree"},
        {cores::own, true, 16, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 16, 1279, "binary_tree"},
        {cores::own, true, 16, all, "halving_doubling"},
        {cores::own, true, 24, 79, "binary_tree"},
        {cores::own, true, 24, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 24, 1279, "binary_tree"},
        {cores::own, true, 24, 1310719, "halving_doubling"},
        {cores::own, true, 24, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 32, 79, "binary_tree"},
        {cores::own, true, 32, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 32, 1279, "binary_tree"},
        {cores::own, true, 32, all, "halving_doubling"},
        {cores::own, true, 48, 79, "binary_tree"},
        {cores::own, true, 48, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 48, 1279, "binary_tree"},
        {cores::own, true, 48, 1310719, "halving_doubling"},
        {cores::own, true, 48, all, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 128, 79, "binary_tree"},
        {cores::own, true, 128, 319, "binary_tree", {{"segments", 4}}},
        {cores::own, true, 128, all, "halving_doubling"},
        {cores::own, true, many, 79, "binary_tree"},
        {cores::own, true, many, 1279, "binary_tree", {{"segments", 4}}},
        {cores::own, true, many, all, "halving_doubling"},
        {cores::shared, false, 3, all, "fnomial", {{"radix", 8}}},
        {cores::shared, false, 4, 327679, "serial"},
        {cores::shared, false, 4, all, "fnomial", {{"radix", 8}}},
        {cores::shared, false, 8, 81919, "serial"},
        {cores::shared, false, 8, 327679, "fnomial", {{"radix", 8}}},
        {cores::shared, false, 8, all, "ring"},
        {cores::shared, false, many, 81919, "serial"},
        {cores::shared, false, many, 1310719, "fnomial", {{"radix", 4}}},
        {cores::shared, false, many, all, "ring"},
        {cores::shared, true, 6, all, "serial"},
        {cores::shared, true, 8, 327679, "serial"},
        {cores::shared, true, 8, all, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, many, 81919, "serial"},
        {cores::shared, true, many, 327679, "binary_tree"},
        {cores::shared, true, many, all, "binary_tree", {{"segments", 4}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
