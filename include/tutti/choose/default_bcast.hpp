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
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial>("fnomial")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 3, all, "fnomial"},
        {cores::own, true, 4, all, "fnomial", {.radix = 3}},
        {cores::own, true, 6, 15, "fnomial", {.radix = 4}},
        {cores::own, true, 6, 127, "fnomial", {.radix = 5}},
        {cores::own, true, 6, 2047, "fnomial", {.radix = 4}},
        {cores::own, true, 6, all, "fnomial", {.radix = 5}},
        {cores::own, true, 8, 15, "fnomial", {.radix = 5}},
        {cores::own, true, 8, 127, "fnomial", {.radix = 6}},
        {cores::own, true, 8, 2047, "fnomial", {.radix = 5}},
        {cores::own, true, 8, all, "serial"},
        {cores::own, true, 12, 15, "fnomial", {.radix = 3}},
        {cores::own, true, 12, 127, "fnomial", {.radix = 8}},
        {cores::own, true, 12, 2047, "fnomial", {.radix = 3}},
        {cores::own, true, 12, 8191, "fnomial", {.radix = 8}},
        {cores::own, true, 12, all, "serial"},
        {cores::own, true, 16, 8191, "fnomial", {.radix = 4}},
        {cores::own, true, 16, all, "serial"},
        {cores::own, true, 24, 15, "fnomial", {.radix = 4}},
        {cores::own, true, 24, 127, "fnomial", {.radix = 5}},
        {cores::own, true, 24, 2047, "fnomial", {.radix = 4}},
        {cores::own, true, 24, 32767, "fnomial", {.radix = 5}},
        {cores::own, true, 24, all, "serial"},
        {cores::own, true, 32, 127, "fnomial", {.radix = 5}},
        {cores::own, true, 32, 2047, "fnomial", {.radix = 3}},
        {cores::own, true, 32, 8191, "fnomial", {.radix = 5}},
        {cores::own, true, 32, 32767, "fnomial", {.radix = 6}},
        {cores::own, true, 32, all, "serial"},
        {cores::own, true, 64, 8191, "fnomial", {.radix = 4}},
        {cores::own, true, 64, 32767, "fnomial", {.radix = 8}},
        {cores::own, true, 64, all, "serial"},
        {cores::own, true, 128, 127, "fnomial", {.radix = 5}},
        {cores::own, true, 128, 2047, "fnomial", {.radix = 3}},
        {cores::own, true, 128, 8191, "fnomial", {.radix = 6}},
        {cores::own, true, 128, 32767, "fnomial", {.radix = 12}},
        {cores::own, true, 128, 131071, "fnomial", {.radix = 12, .segments = 2}},
        {cores::own, true, 128, 524287, "fnomial", {.radix = 12, .segments = 4}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, 256, 2047, "fnomial", {.radix = 4}},
        {cores::own, true, 256, 8191, "fnomial", {.radix = 6}},
        {cores::own, true, 256, 131071, "fnomial", {.radix = 16}},
        {cores::own, true, 256, 524287, "fnomial", {.radix = 16, .segments = 2}},
        {cores::own, true, 256, 2097151, "fnomial", {.radix = 16, .segments = 8}},
        {cores::own, true, 256, all, "serial"},
        {cores::own, true, 512, 127, "fnomial", {.radix = 5}},
        {cores::own, true, 512, 2047, "fnomial", {.radix = 4}},
        {cores::own, true, 512, 32767, "fnomial", {.radix = 8}},
        {cores::own, true, 512, 131071, "fnomial", {.radix = 32}},
        {cores::own, true, 512, 524287, "fnomial", {.radix = 32, .segments = 2}},
        {cores::own, true, 512, 2097151, "fnomial", {.radix = 8, .segments = 8}},
        {cores::own, true, 512, all, "serial"},
        {cores::own, true, many, 8191, "fnomial", {.radix = 4}},
        {cores::own, true, many, 32767, "fnomial", {.radix = 16}},
        {cores::own, true, many, 131071, "fnomial", {.radix = 4, .segments = 4}},
        {cores::own, true, many, 524287, "fnomial", {.radix = 4, .segments = 8}},
        {cores::own, true, many, 8388607, "fnomial", {.radix = 4, .segments = 16}},
        {cores::own, true, many, all, "serial"},
        {cores::shared, true, 3, all, "fnomial"},
        {cores::shared, true, 4, all, "fnomial", {.radix = 3}},
        {cores::shared, true, 6, 127, "fnomial", {.radix = 5}},
        {cores::shared, true, 6, 511, "fnomial", {.radix = 4}},
        {cores::shared, true, 6, all, "fnomial", {.radix = 5}},
        {cores::shared, true, 8, 127, "serial"},
        {cores::shared, true, 8, 2047, "fnomial", {.radix = 5}},
        {cores::shared, true, 8, all, "serial"},
        {cores::shared, true, 16, 127, "fnomial", {.radix = 4}},
        {cores::shared, true, 16, 511, "fnomial"},
        {cores::shared, true, 16, 8191, "fnomial", {.radix = 4}},
        {cores::shared, true, 16, all, "serial"},
        {cores::shared, true, 32, 127, "fnomial", {.radix = 5}},
        {cores::shared, true, 32, 511, "fnomial"},
        {cores::shared, true, 32, 2047, "fnomial", {.radix = 3}},
        {cores::shared, true, 32, 8191, "fnomial", {.radix = 5}},
        {cores::shared, true, 32, 32767, "fnomial", {.radix = 6}},
        {cores::shared, true, 32, all, "serial"},
        {cores::shared, true, 64, 15, "fnomial"},
        {cores::shared, true, 64, 127, "fnomial", {.radix = 4}},
        {cores::shared, true, 64, 511, "fnomial"},
        {cores::shared, true, 64, 8191, "fnomial", {.radix = 4}},
        {cores::shared, true, 64, 32767, "fnomial", {.radix = 8}},
        {cores::shared, true, 64, all, "serial"},
        {cores::shared, true, many, 15, "fnomial"},
        {cores::shared, true, many, 127, "fnomial", {.radix = 4}},
        {cores::shared, true, many, 2047, "fnomial"},
        {cores::shared, true, many, 32767, "fnomial", {.radix = 6}},
        {cores::shared, true, many, 524287, "fnomial", {.radix = 16, .segments = 2}},
        {cores::shared, true, many, 2097151, "fnomial", {.radix = 16, .segments = 8}},
        {cores::shared, true, many, all, "serial"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
