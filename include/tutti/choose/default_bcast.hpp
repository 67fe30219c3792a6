// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::bcast, Whenever> {
    static constexpr collective C = later<Whenever>(collective::bcast);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial>("fnomial"), winner<C, kary>("kary")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 655359, "fnomial", {{"radix", 4}}},
        {cores::own, true, 2, all, "fnomial", {{"radix", 8}, {"segments", 8}}},
        {cores::own, true, 12, 35, "fnomial", {{"radix", 4}}},
        {cores::own, true, 12, 287, "fnomial", {{"radix", 8}}},
        {cores::own, true, 12, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 12, 10239, "fnomial", {{"radix", 8}}},
        {cores::own, true, 12, all, "serial"},
        {cores::own, true, 16, 10239, "fnomial", {{"radix", 4}}},
        {cores::own, true, 16, all, "serial"},
        {cores::own, true, 24, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 24, 10239, "fnomial", {{"radix", 8}}},
        {cores::own, true, 24, all, "serial"},
        {cores::own, true, 48, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 48, 40959, "fnomial", {{"radix", 8}}},
        {cores::own, true, 48, all, "serial"},
        {cores::own, true, 128, 10239, "fnomial", {{"radix", 4}}},
        {cores::own, true, 128, 40959, "fnomial", {{"radix", 8}}},
        {cores::own, true, 128, 163839, "fnomial", {{"radix", 8}, {"segments", 4}}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, 512, 2303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 512, 40959, "fnomial", {{"radix", 8}}},
        {cores::own, true, 512, 655359, "fnomial", {{"radix", 8}, {"segments", 4}}},
        {cores::own, true, 512, 2621439, "fnomial", {{"radix", 8}, {"segments", 8}}},
        {cores::own, true, 512, all, "serial"},
        {cores::own, true, many, 10239, "fnomial", {{"radix", 4}}},
        {cores::own, true, many, 40959, "fnomial", {{"radix", 8}}},
        {cores::own, true, many, 655359, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::own, true, many, 2621439, "fnomial", {{"radix", 4}, {"segments", 8}}},
        {cores::own, true, many, all, "fnomial", {{"radix", 8}, {"segments", 16}}},
        {cores::shared, true, 3, 655359, "serial"},
        {cores::shared, true, 3, 2621439, "fnomial", {{"radix", 8}, {"segments", 4}}},
        {cores::shared, true, 3, all, "fnomial", {{"radix", 4}, {"segments", 8}}},
        {cores::shared, true, 4, 40959, "fnomial", {{"radix", 4}}},
        {cores::shared, true, 4, 163839, "fnomial"},
        {cores::shared, true, 4, 655359, "fnomial", {{"radix", 8}}},
        {cores::shared, true, 4, 2621439, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, true, 4, all, "fnomial", {{"segments", 8}}},
        {cores::shared, true, 6, 40959, "fnomial", {{"radix", 8}}},
        {cores::shared, true, 6, 163839, "fnomial", {{"radix", 4}}},
        {cores::shared, true, 6, 655359, "fnomial", {{"radix", 8}}},
        {cores::shared, true, 6, all, "fnomial", {{"radix", 8}, {"segments", 8}}},
        {cores::shared, true, 8, 655359, "serial"},
        {cores::shared, true, 8, 2621439, "fnomial", {{"radix", 8}, {"segments", 8}}},
        {cores::shared, true, 8, all, "fnomial", {{"segments", 8}}},
        {cores::shared, true, many, 655359, "serial"},
        {cores::shared, true, many, 2621439, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, true, many, all, "fnomial", {{"radix", 8}, {"segments", 8}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
