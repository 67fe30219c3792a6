// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/alltoall/bruck.hpp>
#include <tutti/schedule/alltoall/hypercube.hpp>
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
    static constexpr std::array winners{winner<C, bruck>("bruck"), winner<C, mesh2d>("mesh2d"), winner<C, flow_controlled<pairwise>>("pairwise"), winner<C, hypercube>("hypercube")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 2, 393215, "pairwise"},
        {cores::own, true, 2, all, "bruck", {{"radix", 4}}},
        {cores::own, true, 3, 3071, "bruck", {{"radix", 8}}},
        {cores::own, true, 3, all, "bruck", {{"radix", 4}}},
        {cores::own, true, 4, 95, "bruck"},
        {cores::own, true, 4, 191, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 4, 1535, "mesh2d"},
        {cores::own, true, 4, 3071, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 4, 6143, "bruck", {{"radix", 8}}},
        {cores::own, true, 4, 12287, "mesh2d"},
        {cores::own, true, 4, 786431, "bruck", {{"radix", 4}}},
        {cores::own, true, 4, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 6, 191, "bruck", {{"radix", 4}}},
        {cores::own, true, 6, 3071, "mesh2d"},
        {cores::own, true, 6, 6143, "bruck", {{"radix", 8}}},
        {cores::own, true, 6, 12287, "mesh2d"},
        {cores::own, true, 6, 1572863, "bruck", {{"radix", 8}}},
        {cores::own, true, 6, all, "pairwise"},
        {cores::own, true, 8, 95, "bruck"},
        {cores::own, true, 8, 383, "bruck", {{"radix", 4}}},
        {cores::own, true, 8, 3071, "bruck"},
        {cores::own, true, 8, 6143, "bruck", {{"radix", 4}}},
        {cores::own, true, 8, 24575, "mesh2d"},
        {cores::own, true, 8, all, "bruck", {{"radix", 8}}},
        {cores::own, true, 12, 12287, "bruck", {{"radix", 4}}},
        {cores::own, true, 12, 24575, "mesh2d"},
        {cores::own, true, 12, all, "pairwise"},
        {cores::own, true, 16, 191, "bruck", {{"radix", 4}}},
        {cores::own, true, 16, 3071, "bruck"},
        {cores::own, true, 16, 12287, "bruck", {{"radix", 4}}},
        {cores::own, true, 16, 49151, "mesh2d"},
        {cores::own, true, 16, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 17, 191, "bruck", {{"radix", 4}}},
        {cores::own, true, 17, 12287, "bruck"},
        {cores::own, true, 17, 49151, "bruck", {{"radix", 4}}},
        {cores::own, true, 17, all, "bruck", {{"radix", 32}}},
        {cores::own, true, 32, 191, "bruck", {{"radix", 4}}},
        {cores::own, true, 32, 12287, "bruck"},
        {cores::own, true, 32, 98303, "bruck", {{"radix", 8}}},
        {cores::own, true, 32, all, "bruck", {{"radix", 32}}},
        {cores::own, true, 64, 191, "bruck", {{"radix", 4}}},
        {cores::own, true, 64, 12287, "bruck"},
        {cores::own, true, 64, 196607, "bruck", {{"radix", 8}}},
        {cores::own, true, 64, 1572863, "bruck", {{"radix", 32}}},
        {cores::own, true, 64, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 256, 95, "bruck", {{"radix", 4}}},
        {cores::own, true, 256, 12287, "bruck"},
        {cores::own, true, 256, 98303, "bruck", {{"radix", 8}}},
        {cores::own, true, 256, 1572863, "bruck", {{"radix", 16}}},
        {cores::own, true, 256, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, 1024, 95, "bruck", {{"radix", 4}}},
        {cores::own, true, 1024, 12287, "bruck"},
        {cores::own, true, 1024, 98303, "bruck", {{"radix", 8}}},
        {cores::own, true, 1024, 3145727, "bruck", {{"radix", 32}}},
        {cores::own, true, 1024, all, "pairwise", {{"outstanding", 16}}},
        {cores::own, true, many, 95, "bruck", {{"radix", 4}}},
        {cores::own, true, many, 12287, "bruck"},
        {cores::own, true, many, 98303, "bruck", {{"radix", 8}}},
        {cores::own, true, many, 1572863, "bruck", {{"radix", 16}}},
        {cores::own, true, many, 12582911, "mesh2d"},
        {cores::own, true, many, all, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 3, 4607, "bruck", {{"radix", 8}}},
        {cores::shared, true, 3, 294911, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 3, all, "bruck", {{"radix", 8}}},
        {cores::shared, true, 4, 191, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, 4, 12287, "hypercube"},
        {cores::shared, true, 4, 98303, "mesh2d"},
        {cores::shared, true, 4, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, 6, 287, "bruck", {{"radix", 8}}},
        {cores::shared, true, 6, 147455, "mesh2d"},
        {cores::shared, true, 6, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, 8, 191, "pairwise", {{"outstanding", 16}}},
        {cores::shared, true, 8, 12287, "hypercube"},
        {cores::shared, true, 8, all, "pairwise", {{"outstanding", 4}}},
        {cores::shared, true, many, 191, "bruck", {{"radix", 8}}},
        {cores::shared, true, many, 6143, "bruck"},
        {cores::shared, true, many, 49151, "mesh2d"},
        {cores::shared, true, many, all, "pairwise", {{"outstanding", 16}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
