// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/alltoall/bruck.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
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
        {cores::own, true, 2, 196607, "pairwise", {{"outstanding", 4}}},
        {cores::own, true, 2, all, "pairwise"},
        {cores::own, true, 3, all, "pairwise", {{"outstanding", 4}}},
        {cores::own, true, 6, 319, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 6, 5119, "bruck"},
        {cores::own, true, 6, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 8, 79, "bruck"},
        {cores::own, true, 8, 319, "pairwise", {{"outstanding", 4}}},
        {cores::own, true, 8, 5119, "bruck"},
        {cores::own, true, 8, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 16, 20479, "bruck"},
        {cores::own, true, 16, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 64, 81919, "bruck"},
        {cores::own, true, 64, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 128, 196607, "bruck"},
        {cores::own, true, 128, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 256, 786431, "bruck"},
        {cores::own, true, 256, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, many, 1572863, "bruck"},
        {cores::own, true, many, all, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 6, 786431, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 6, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, 8, 319, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 8, 81919, "bruck"},
        {cores::shared, true, 8, 1572863, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 8, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, many, 81919, "bruck"},
        {cores::shared, true, many, all, "pairwise", {{"outstanding", 16}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
