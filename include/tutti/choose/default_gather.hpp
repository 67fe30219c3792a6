// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/gather/serial.hpp>

namespace tutti::detail {

// Not measured yet. With cores of their own, what the default machine says is cheapest: a tree spares the
// root messages, which pays while they cost more than the blocks in them and the way of those through other
// ranks. Where cores are shared, straight: then nobody but the root waits for anybody.
// clang-format off
template <class Whenever>
struct default_rules<collective::gather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::gather);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial_of_parts>("fnomial")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 4, all, "serial"},
        {cores::own, true, 8, 1279, "fnomial", {{"radix", 4}}},
        {cores::own, true, 8, all, "serial"},
        {cores::own, true, 24, 5119, "fnomial", {{"radix", 4}}},
        {cores::own, true, 24, all, "serial"},
        {cores::own, true, 64, 20479, "fnomial", {{"radix", 4}}},
        {cores::own, true, 64, all, "serial"},
        {cores::own, true, 128, 20479, "fnomial", {{"radix", 4}}},
        {cores::own, true, 128, 393215, "fnomial", {{"radix", 8}}},
        {cores::own, true, 128, all, "serial"},
        {cores::own, true, many, 196607, "fnomial", {{"radix", 4}}},
        {cores::own, true, many, 1572863, "fnomial", {{"radix", 8}}},
        {cores::own, true, many, all, "serial"},
        {cores::shared, true, many, all, "serial"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
