// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/neighbor_exchange.hpp>
#include <tutti/schedule/allgather/recursive_multiplying.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::allgather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allgather);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, flow_controlled<direct>>("direct"), winner<C, circulant>("circulant"), winner<C, recursive_multiplying>("recursive_multiplying"), winner<C, neighbor_exchange>("neighbor_exchange")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, all, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 3, all, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 4, 95, "neighbor_exchange"},
        {cores::own, true, 4, 191, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 4, 12287, "neighbor_exchange"},
        {cores::own, true, 4, all, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 6, 383, "neighbor_exchange"},
        {cores::own, true, 6, 12287, "circulant"},
        {cores::own, true, 6, 1572863, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 6, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, 8, 24575, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 8, all, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 12, 383, "recursive_multiplying"},
        {cores::own, true, 12, 24575, "circulant"},
        {cores::own, true, 12, 98303, "recursive_multiplying"},
        {cores::own, true, 12, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 16, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 16, 49151, "circulant"},
        {cores::own, true, 16, 98303, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 16, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 17, 49151, "circulant"},
        {cores::own, true, 17, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 32, 191, "recursive_multiplying"},
        {cores::own, true, 32, 98303, "circulant"},
        {cores::own, true, 32, all, "recursive_multiplying", {{"radix", 32}}},
        {cores::own, true, many, 191, "recursive_multiplying"},
        {cores::own, true, many, all, "circulant"},
        {cores::shared, true, 3, 287, "recursive_multiplying"},
        {cores::shared, true, 3, all, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, true, 4, 191, "direct", {{"outstanding", 16}}},
        {cores::shared, true, 4, 49151, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, true, 4, 1572863, "direct", {{"outstanding", 16}}},
        {cores::shared, true, 4, all, "recursive_multiplying"},
        {cores::shared, true, 6, 287, "direct", {{"outstanding", 16}}},
        {cores::shared, true, 6, 73727, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, true, 6, 1179647, "recursive_multiplying", {{"radix", 8}}},
        {cores::shared, true, 6, all, "direct", {{"outstanding", 4}}},
        {cores::shared, true, 8, 191, "recursive_multiplying"},
        {cores::shared, true, 8, 98303, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, true, 8, 393215, "neighbor_exchange"},
        {cores::shared, true, 8, 1572863, "recursive_multiplying", {{"radix", 8}}},
        {cores::shared, true, 8, all, "direct", {{"outstanding", 4}}},
        {cores::shared, true, many, 191, "recursive_multiplying", {{"radix", 8}}},
        {cores::shared, true, many, 196607, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, true, many, all, "direct", {{"outstanding", 16}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
