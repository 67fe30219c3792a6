// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/neighbor_exchange.hpp>
#include <tutti/schedule/allgather/recursive_doubling.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::allgather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allgather);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, flow_controlled<direct>>("direct"), winner<C, circulant>("circulant"), winner<C, recursive_doubling>("recursive_doubling"), winner<C, neighbor_exchange>("neighbor_exchange")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 3, 319, "direct", {{"outstanding", 16}}},
        {cores::own, true, 3, 81919, "neighbor_exchange"},
        {cores::own, true, 3, all, "circulant"},
        {cores::own, true, 4, 79, "neighbor_exchange"},
        {cores::own, true, 4, 319, "direct", {{"outstanding", 4}}},
        {cores::own, true, 4, 20479, "neighbor_exchange"},
        {cores::own, true, 4, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, 6, 319, "neighbor_exchange"},
        {cores::own, true, 6, 20479, "circulant"},
        {cores::own, true, 6, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 8, 79, "recursive_doubling"},
        {cores::own, true, 8, 319, "neighbor_exchange"},
        {cores::own, true, 8, 20479, "circulant"},
        {cores::own, true, 8, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 12, 20479, "circulant"},
        {cores::own, true, 12, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 24, 81919, "circulant"},
        {cores::own, true, 24, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, 32, 196607, "circulant"},
        {cores::own, true, 32, all, "direct", {{"outstanding", 16}}},
        {cores::own, true, many, all, "circulant"},
        {cores::shared, true, 3, 1279, "direct", {{"outstanding", 16}}},
        {cores::shared, true, 3, 20479, "recursive_doubling"},
        {cores::shared, true, 3, all, "direct", {{"outstanding", 16}}},
        {cores::shared, true, 4, 319, "direct", {{"outstanding", 4}}},
        {cores::shared, true, 4, 1279, "recursive_doubling"},
        {cores::shared, true, 4, 20479, "circulant"},
        {cores::shared, true, 4, 196607, "recursive_doubling"},
        {cores::shared, true, 4, all, "direct", {{"outstanding", 4}}},
        {cores::shared, true, 6, 79, "direct", {{"outstanding", 16}}},
        {cores::shared, true, 6, 319, "circulant"},
        {cores::shared, true, 6, 196607, "recursive_doubling"},
        {cores::shared, true, 6, all, "direct", {{"outstanding", 16}}},
        {cores::shared, true, many, 79, "circulant"},
        {cores::shared, true, many, 81919, "recursive_doubling"},
        {cores::shared, true, many, 196607, "circulant"},
        {cores::shared, true, many, 1572863, "recursive_doubling"},
        {cores::shared, true, many, all, "direct", {{"outstanding", 4}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
