// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/gather/serial.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::gather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::gather);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial_of_parts>("fnomial")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 5119, "fnomial", {{"radix", 4}}},
        {cores::own, true, 2, all, "serial"},
        {cores::own, true, 4, 3071, "fnomial", {{"radix", 8}}},
        {cores::own, true, 4, all, "serial"},
        {cores::own, true, 6, 23, "fnomial"},
        {cores::own, true, 6, 47, "fnomial", {{"radix", 4}}},
        {cores::own, true, 6, 191, "fnomial"},
        {cores::own, true, 6, all, "serial"},
        {cores::own, true, 8, all, "serial"},
        {cores::own, true, 12, 24575, "fnomial", {{"radix", 4}}},
        {cores::own, true, 12, all, "serial"},
        {cores::own, true, 16, 98303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 16, all, "serial"},
        {cores::own, true, 24, 12287, "fnomial", {{"radix", 4}}},
        {cores::own, true, 24, all, "serial"},
        {cores::own, true, 48, 49151, "fnomial", {{"radix", 4}}},
        {cores::own, true, 48, all, "serial"},
        {cores::own, true, 64, 98303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 64, all, "serial"},
        {cores::own, true, 128, 393215, "fnomial", {{"radix", 4}}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, 192, 786431, "fnomial", {{"radix", 4}}},
        {cores::own, true, 192, all, "serial"},
        {cores::own, true, 1024, 3145727, "fnomial", {{"radix", 4}}},
        {cores::own, true, 1024, all, "serial"},
        {cores::own, true, many, 12582911, "fnomial", {{"radix", 4}}},
        {cores::own, true, many, all, "serial"},
        {cores::shared, true, many, all, "serial"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
