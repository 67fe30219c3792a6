// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/alltoall/bruck.hpp>
#include <tutti/schedule/alltoall/mesh2d.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::alltoall, Whenever> {
    static constexpr collective C = later<Whenever>(collective::alltoall);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, bruck>("bruck"), winner<C, mesh2d>("mesh2d"), winner<C, flow_controlled<pairwise>>("pairwise")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 3, all, "bruck", {{"radix", 8}}},
        {cores::own, true, 4, 79, "bruck"},
        {cores::own, true, 4, 5119, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 4, 20479, "mesh2d"},
        {cores::own, true, 4, all, "bruck", {{"radix", 8}}},
        {cores::own, true, 6, 319, "bruck", {{"radix", 4}}},
        {cores::own, true, 6, 20479, "mesh2d"},
        {cores::own, true, 6, 786431, "bruck", {{"radix", 8}}},
        {cores::own, true, 6, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 12, 20479, "bruck", {{"radix", 4}}},
        {cores::own, true, 12, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 16, 1279, "bruck", {{"radix", 4}}},
        {cores::own, true, 16, 5119, "bruck"},
        {cores::own, true, 16, 81919, "bruck", {{"radix", 4}}},
        {cores::own, true, 16, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 24, 319, "bruck", {{"radix", 4}}},
        {cores::own, true, 24, 5119, "bruck"},
        {cores::own, true, 24, 81919, "bruck", {{"radix", 8}}},
        {cores::own, true, 24, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 32, 79, "bruck", {{"radix", 4}}},
        {cores::own, true, 32, 5119, "bruck"},
        {cores::own, true, 32, 196607, "bruck", {{"radix", 8}}},
        {cores::own, true, 32, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 48, 319, "bruck", {{"radix", 4}}},
        {cores::own, true, 48, 5119, "bruck"},
        {cores::own, true, 48, 20479, "bruck", {{"radix", 4}}},
        {cores::own, true, 48, 393215, "bruck", {{"radix", 8}}},
        {cores::own, true, 48, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 128, 319, "bruck", {{"radix", 4}}},
        {cores::own, true, 128, 5119, "bruck"},
        {cores::own, true, 128, 20479, "bruck", {{"radix", 4}}},
        {cores::own, true, 128, 786431, "bruck", {{"radix", 8}}},
        {cores::own, true, 128, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 256, 79, "bruck", {{"radix", 4}}},
        {cores::own, true, 256, 5119, "bruck"},
        {cores::own, true, 256, 20479, "bruck", {{"radix", 4}}},
        {cores::own, true, 256, 786431, "bruck", {{"radix", 8}}},
        {cores::own, true, 256, 1572863, "mesh2d"},
        {cores::own, true, 256, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 512, 319, "bruck", {{"radix", 4}}},
        {cores::own, true, 512, 1279, "bruck"},
        {cores::own, true, 512, 20479, "bruck", {{"radix", 4}}},
        {cores::own, true, 512, 1572863, "bruck", {{"radix", 8}}},
        {cores::own, true, 512, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, many, 79, "bruck", {{"radix", 4}}},
        {cores::own, true, many, 5119, "bruck"},
        {cores::own, true, many, 81919, "bruck", {{"radix", 4}}},
        {cores::own, true, many, 393215, "bruck", {{"radix", 8}}},
        {cores::own, true, many, 3145727, "mesh2d"},
        {cores::own, true, many, all, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 3, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, 6, 319, "bruck", {{"radix", 8}}},
        {cores::shared, true, 6, 81919, "mesh2d"},
        {cores::shared, true, 6, 3145727, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 6, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, many, 319, "bruck", {{"radix", 8}}},
        {cores::shared, true, many, 20479, "bruck"},
        {cores::shared, true, many, 81919, "mesh2d"},
        {cores::shared, true, many, all, "pairwise", {{"outstanding", 4}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
