// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather_circulant.hpp>
#include <tutti/schedule/allgather_direct.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::allgather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allgather);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, flow_controlled<direct>>("direct"), winner<C, circulant>("circulant")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 3, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, 4, 287, "direct", {{"outstanding", 4}}},
        {cores::own, true, 4, 2303, "circulant"},
        {cores::own, true, 4, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, 6, 10239, "circulant"},
        {cores::own, true, 6, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, 8, 40959, "circulant"},
        {cores::own, true, 8, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, 16, 163839, "circulant"},
        {cores::own, true, 16, all, "direct", {{"outstanding", 4}}},
        {cores::own, true, many, all, "circulant"},
        {cores::shared, true, 8, all, "direct", {{"outstanding", 4}}},
        {cores::shared, true, many, 2621439, "circulant"},
        {cores::shared, true, many, all, "direct"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
