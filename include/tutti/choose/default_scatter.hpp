// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>
#include <tutti/schedule/scatter/serial.hpp>

namespace tutti::detail {

// Not measured yet. With cores of their own, what the default machine says is cheapest: a tree spares the
// root messages, which pays while they cost more than the blocks in them and the way of those through other
// ranks. Where cores are shared, straight: then nobody waits for anything but one message of the root's.
// clang-format off
template <class Whenever>
struct default_rules<collective::scatter, Whenever> {
    static constexpr collective C = later<Whenever>(collective::scatter);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial_of_parts>("fnomial")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 4, all, "serial"},
        {cores::own, true, 6, 5119, "fnomial", {{"radix", 4}}},
        {cores::own, true, 6, all, "serial"},
        {cores::own, true, 8, 20479, "fnomial", {{"radix", 4}}},
        {cores::own, true, 8, all, "serial"},
        {cores::own, true, 16, 81919, "fnomial", {{"radix", 4}}},
        {cores::own, true, 16, all, "serial"},
        {cores::own, true, 32, 5119, "fnomial", {{"radix", 4}}},
        {cores::own, true, 32, 393215, "fnomial", {{"radix", 5}}},
        {cores::own, true, 32, all, "serial"},
        {cores::own, true, 64, 20479, "fnomial", {{"radix", 4}}},
        {cores::own, true, 64, 1572863, "fnomial", {{"radix", 8}}},
        {cores::own, true, 64, all, "serial"},
        {cores::own, true, 128, 20479, "fnomial", {{"radix", 4}}},
        {cores::own, true, 128, 393215, "fnomial", {{"radix", 5}}},
        {cores::own, true, 128, 3145727, "fnomial", {{"radix", 12}}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, many, 20479, "fnomial", {{"radix", 4}}},
        {cores::own, true, many, 1572863, "fnomial", {{"radix", 8}}},
        {cores::own, true, many, 6291455, "fnomial", {{"radix", 16}}},
        {cores::own, true, many, all, "serial"},
        {cores::shared, true, many, all, "serial"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
