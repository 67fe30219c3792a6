// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_chain.hpp>
#include <tutti/schedule/bcast_fnomial.hpp>
#include <tutti/schedule/bcast_serial.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::bcast, Whenever> {
    static constexpr auto C = collective::bcast;
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array list{
        rule<C>(cores::own, true, 3, all, "fnomial", fnomial{}),
        rule<C>(cores::own, true, 4, all, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::own, true, 6, 15, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 6, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 6, 2047, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 6, all, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 8, 15, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 8, 127, "fnomial", fnomial{.radix = 6}),
        rule<C>(cores::own, true, 8, 2047, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 8, all, "serial", serial{}),
        rule<C>(cores::own, true, 12, 15, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::own, true, 12, 127, "fnomial", fnomial{.radix = 8}),
        rule<C>(cores::own, true, 12, 2047, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::own, true, 12, 8191, "fnomial", fnomial{.radix = 8}),
        rule<C>(cores::own, true, 12, all, "serial", serial{}),
        rule<C>(cores::own, true, 16, 8191, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 16, all, "serial", serial{}),
        rule<C>(cores::own, true, 24, 15, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 24, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 24, 2047, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 24, 32767, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 24, all, "serial", serial{}),
        rule<C>(cores::own, true, 32, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 32, 2047, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::own, true, 32, 8191, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 32, 32767, "fnomial", fnomial{.radix = 6}),
        rule<C>(cores::own, true, 32, all, "serial", serial{}),
        rule<C>(cores::own, true, 64, 8191, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 64, 32767, "fnomial", fnomial{.radix = 8}),
        rule<C>(cores::own, true, 64, all, "serial", serial{}),
        rule<C>(cores::own, true, 128, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 128, 2047, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::own, true, 128, 8191, "fnomial", fnomial{.radix = 6}),
        rule<C>(cores::own, true, 128, 32767, "fnomial", fnomial{.radix = 12}),
        rule<C>(cores::own, true, 128, 131071, "fnomial", fnomial{.radix = 12, .segments = 2}),
        rule<C>(cores::own, true, 128, 524287, "fnomial", fnomial{.radix = 12, .segments = 4}),
        rule<C>(cores::own, true, 128, all, "serial", serial{}),
        rule<C>(cores::own, true, 256, 2047, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 256, 8191, "fnomial", fnomial{.radix = 6}),
        rule<C>(cores::own, true, 256, 131071, "fnomial", fnomial{.radix = 16}),
        rule<C>(cores::own, true, 256, 524287, "fnomial", fnomial{.radix = 16, .segments = 2}),
        rule<C>(cores::own, true, 256, 2097151, "fnomial", fnomial{.radix = 16, .segments = 8}),
        rule<C>(cores::own, true, 256, all, "serial", serial{}),
        rule<C>(cores::own, true, 512, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::own, true, 512, 2047, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, 512, 32767, "fnomial", fnomial{.radix = 8}),
        rule<C>(cores::own, true, 512, 131071, "fnomial", fnomial{.radix = 32}),
        rule<C>(cores::own, true, 512, 524287, "fnomial", fnomial{.radix = 32, .segments = 2}),
        rule<C>(cores::own, true, 512, 2097151, "fnomial", fnomial{.radix = 8, .segments = 8}),
        rule<C>(cores::own, true, 512, all, "serial", serial{}),
        rule<C>(cores::own, true, many, 8191, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::own, true, many, 32767, "fnomial", fnomial{.radix = 16}),
        rule<C>(cores::own, true, many, 131071, "fnomial", fnomial{.radix = 4, .segments = 4}),
        rule<C>(cores::own, true, many, 524287, "fnomial", fnomial{.radix = 4, .segments = 8}),
        rule<C>(cores::own, true, many, 8388607, "fnomial", fnomial{.radix = 4, .segments = 16}),
        rule<C>(cores::own, true, many, all, "serial", serial{}),
        rule<C>(cores::shared, true, 3, all, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, 4, all, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::shared, true, 6, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::shared, true, 6, 511, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::shared, true, 6, all, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::shared, true, 8, 127, "serial", serial{}),
        rule<C>(cores::shared, true, 8, 2047, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::shared, true, 8, all, "serial", serial{}),
        rule<C>(cores::shared, true, 16, 127, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::shared, true, 16, 511, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, 16, 8191, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::shared, true, 16, all, "serial", serial{}),
        rule<C>(cores::shared, true, 32, 127, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::shared, true, 32, 511, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, 32, 2047, "fnomial", fnomial{.radix = 3}),
        rule<C>(cores::shared, true, 32, 8191, "fnomial", fnomial{.radix = 5}),
        rule<C>(cores::shared, true, 32, 32767, "fnomial", fnomial{.radix = 6}),
        rule<C>(cores::shared, true, 32, all, "serial", serial{}),
        rule<C>(cores::shared, true, 64, 15, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, 64, 127, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::shared, true, 64, 511, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, 64, 8191, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::shared, true, 64, 32767, "fnomial", fnomial{.radix = 8}),
        rule<C>(cores::shared, true, 64, all, "serial", serial{}),
        rule<C>(cores::shared, true, many, 15, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, many, 127, "fnomial", fnomial{.radix = 4}),
        rule<C>(cores::shared, true, many, 2047, "fnomial", fnomial{}),
        rule<C>(cores::shared, true, many, 32767, "fnomial", fnomial{.radix = 6}),
        rule<C>(cores::shared, true, many, 524287, "fnomial", fnomial{.radix = 16, .segments = 2}),
        rule<C>(cores::shared, true, many, 2097151, "fnomial", fnomial{.radix = 16, .segments = 8}),
        rule<C>(cores::shared, true, many, all, "serial", serial{}),
    };
};
// clang-format on

} // namespace tutti::detail
