// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/exscan_census.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::exscan, Whenever> {
    static constexpr collective C = later<Whenever>(collective::exscan);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, census>("census")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, many, all, "census"},
        {cores::own, true, many, all, "census"},
        {cores::shared, false, many, all, "census"},
        {cores::shared, true, many, all, "census"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
