// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/alltoall_bruck.hpp>
#include <tutti/schedule/alltoall_pairwise.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::alltoall, Whenever> {
    static constexpr collective C = later<Whenever>(collective::alltoall);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, bruck>("bruck"), winner<C, flow_controlled<pairwise>>("pairwise")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 16, 40959, "bruck"},
        {cores::own, true, 16, all, "pairwise"},
        {cores::own, true, 64, 163839, "bruck"},
        {cores::own, true, 64, all, "pairwise"},
        {cores::own, true, 256, 655359, "bruck"},
        {cores::own, true, 256, all, "pairwise"},
        {cores::own, true, many, 2621439, "bruck"},
        {cores::own, true, many, all, "pairwise"},
        {cores::shared, true, 8, 287, "bruck"},
        {cores::shared, true, 8, all, "pairwise"},
        {cores::shared, true, many, 287, "bruck"},
        {cores::shared, true, many, 2303, "pairwise"},
        {cores::shared, true, many, 40959, "bruck"},
        {cores::shared, true, many, all, "pairwise"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
