// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>
#include <tutti/schedule/scatter/serial.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::scatter, Whenever> {
    static constexpr collective C = later<Whenever>(collective::scatter);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial_of_parts>("fnomial")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 196607, "serial"},
        {cores::own, true, 2, all, "fnomial", {{"radix", 4}}},
        {cores::own, true, 3, 3071, "fnomial", {{"radix", 8}}},
        {cores::own, true, 3, all, "serial"},
        {cores::own, true, 6, 191, "fnomial", {{"radix", 8}}},
        {cores::own, true, 6, 3071, "fnomial"},
        {cores::own, true, 6, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 6, 24575, "fnomial"},
        {cores::own, true, 6, all, "serial"},
        {cores::own, true, 8, 95, "fnomial", {{"radix", 4}}},
        {cores::own, true, 8, 191, "fnomial"},
        {cores::own, true, 8, 767, "fnomial", {{"radix", 4}}},
        {cores::own, true, 8, 3071, "fnomial"},
        {cores::own, true, 8, 49151, "fnomial", {{"radix", 4}}},
        {cores::own, true, 8, all, "serial"},
        {cores::own, true, 12, 191, "fnomial", {{"radix", 4}}},
        {cores::own, true, 12, 383, "fnomial", {{"radix", 8}}},
        {cores::own, true, 12, 767, "fnomial", {{"radix", 4}}},
        {cores::own, true, 12, 6143, "fnomial"},
        {cores::own, true, 12, 49151, "fnomial", {{"radix", 4}}},
        {cores::own, true, 12, all, "serial"},
        {cores::own, true, 16, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, true, 16, 12287, "fnomial"},
        {cores::own, true, 16, 98303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 16, all, "serial"},
        {cores::own, true, 17, 196607, "fnomial", {{"radix", 4}}},
        {cores::own, true, 17, all, "serial"},
        {cores::own, true, 24, 49151, "fnomial", {{"radix", 4}}},
        {cores::own, true, 24, 393215, "fnomial", {{"radix", 8}}},
        {cores::own, true, 24, all, "serial"},
        {cores::own, true, 32, 24575, "fnomial", {{"radix", 4}}},
        {cores::own, true, 32, 786431, "fnomial", {{"radix", 8}}},
        {cores::own, true, 32, all, "serial"},
        {cores::own, true, 64, 98303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 64, 1572863, "fnomial", {{"radix", 8}}},
        {cores::own, true, 64, all, "serial"},
        {cores::own, true, 100, 49151, "fnomial", {{"radix", 4}}},
        {cores::own, true, 100, 196607, "fnomial", {{"radix", 8}}},
        {cores::own, true, 100, 1572863, "fnomial", {{"radix", 16}}},
        {cores::own, true, 100, all, "serial"},
        {cores::own, true, 128, 98303, "fnomial", {{"radix", 4}}},
        {cores::own, true, 128, 3145727, "fnomial", {{"radix", 16}}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, 192, 196607, "fnomial", {{"radix", 4}}},
        {cores::own, true, 192, 6291455, "fnomial", {{"radix", 16}}},
        {cores::own, true, 192, all, "serial"},
        {cores::own, true, 256, 393215, "fnomial", {{"radix", 4}}},
        {cores::own, true, 256, 12582911, "fnomial", {{"radix", 16}}},
        {cores::own, true, 256, all, "serial"},
        {cores::own, true, 512, 49151, "fnomial", {{"radix", 4}}},
        {cores::own, true, 512, 1572863, "fnomial", {{"radix", 8}}},
        {cores::own, true, 512, 25165823, "fnomial", {{"radix", 32}}},
        {cores::own, true, 512, all, "serial"},
        {cores::own, true, 1024, 786431, "fnomial", {{"radix", 4}}},
        {cores::own, true, 1024, all, "fnomial", {{"radix", 32}}},
        {cores::own, true, many, 393215, "fnomial", {{"radix", 4}}},
        {cores::own, true, many, 1572863, "fnomial", {{"radix", 8}}},
        {cores::own, true, many, all, "fnomial", {{"radix", 16}}},
        {cores::shared, true, 3, all, "serial"},
        {cores::shared, true, 4, 98303, "serial"},
        {cores::shared, true, 4, all, "fnomial"},
        {cores::shared, true, many, 3145727, "serial"},
        {cores::shared, true, many, all, "fnomial", {{"radix", 8}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
