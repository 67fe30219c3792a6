// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/circulant.hpp>
#include <tutti/schedule/allreduce/halving_doubling.hpp>
#include <tutti/schedule/allreduce/pairwise_ring.hpp>
#include <tutti/schedule/allreduce/recursive_multiplying.hpp>
#include <tutti/schedule/allreduce/tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::allreduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allreduce);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, recursive_multiplying>("recursive_multiplying"), winner<C, circulant>("circulant"), winner<C, halving_doubling>("halving_doubling"), winner<C, pairwise_ring>("pairwise_ring"), winner<C, fnomial>("fnomial"), winner<C, binary_tree>("binary_tree"), winner<C, two_tree>("two_tree")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, 2, 3071, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 2, 12287, "circulant"},
        {cores::own, false, 2, 393215, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 2, all, "circulant"},
        {cores::own, false, 3, 98303, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 3, 1572863, "circulant"},
        {cores::own, false, 3, all, "pairwise_ring"},
        {cores::own, false, 4, 47, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 4, 191, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 4, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 4, 98303, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 4, all, "pairwise_ring"},
        {cores::own, false, 6, 191, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 6, 767, "serial"},
        {cores::own, false, 6, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 6, 49151, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 6, all, "pairwise_ring"},
        {cores::own, false, 8, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 8, 49151, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, false, 8, 196607, "halving_doubling"},
        {cores::own, false, 8, all, "pairwise_ring"},
        {cores::own, false, 12, 767, "recursive_multiplying"},
        {cores::own, false, 12, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 12, 12287, "serial"},
        {cores::own, false, 12, 196607, "circulant"},
        {cores::own, false, 12, all, "pairwise_ring"},
        {cores::own, false, 16, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 16, 393215, "halving_doubling"},
        {cores::own, false, 16, all, "pairwise_ring"},
        {cores::own, false, 1000, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, 1000, all, "circulant"},
        {cores::own, false, many, 6143, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, false, many, all, "circulant"},
        {cores::own, true, 2, 3071, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 2, 12287, "halving_doubling"},
        {cores::own, true, 2, 393215, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 2, all, "halving_doubling"},
        {cores::own, true, 3, 3071, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 3, 786431, "recursive_multiplying"},
        {cores::own, true, 3, 1572863, "serial"},
        {cores::own, true, 3, all, "recursive_multiplying"},
        {cores::own, true, 4, 47, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 4, 191, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 4, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 4, 196607, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 191, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 6, 767, "serial"},
        {cores::own, true, 6, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 6, 393215, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 6, all, "halving_doubling"},
        {cores::own, true, 8, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 8, 49151, "recursive_multiplying", {{"radix", 8}}},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 767, "recursive_multiplying"},
        {cores::own, true, 12, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 12, 49151, "serial"},
        {cores::own, true, 12, all, "halving_doubling"},
        {cores::own, true, 16, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 16, all, "halving_doubling"},
        {cores::own, true, 17, 12287, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 17, 196607, "recursive_multiplying", {{"radix", 32}}},
        {cores::own, true, 17, all, "halving_doubling"},
        {cores::own, true, 512, 3071, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, 512, all, "halving_doubling"},
        {cores::own, true, many, 6143, "recursive_multiplying", {{"radix", 2}}},
        {cores::own, true, many, all, "halving_doubling"},
        {cores::shared, false, 3, 191, "recursive_multiplying"},
        {cores::shared, false, 3, 393215, "serial"},
        {cores::shared, false, 3, all, "pairwise_ring"},
        {cores::shared, false, 4, 191, "recursive_multiplying"},
        {cores::shared, false, 4, 6143, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, false, 4, 98303, "fnomial"},
        {cores::shared, false, 4, 393215, "halving_doubling"},
        {cores::shared, false, 4, 786431, "fnomial", {{"segments", 4}}},
        {cores::shared, false, 4, all, "pairwise_ring"},
        {cores::shared, false, 6, 95, "recursive_multiplying", {{"radix", 8}}},
        {cores::shared, false, 6, 383, "serial"},
        {cores::shared, false, 6, 393215, "binary_tree"},
        {cores::shared, false, 6, 786431, "fnomial", {{"segments", 4}}},
        {cores::shared, false, 6, all, "circulant"},
        {cores::shared, false, 8, 767, "serial"},
        {cores::shared, false, 8, 393215, "fnomial", {{"radix", 4}}},
        {cores::shared, false, 8, 3145727, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, false, 8, all, "pairwise_ring"},
        {cores::shared, false, many, 196607, "serial"},
        {cores::shared, false, many, 1572863, "halving_doubling"},
        {cores::shared, false, many, all, "pairwise_ring"},
        {cores::shared, true, 3, 191, "recursive_multiplying"},
        {cores::shared, true, 3, 393215, "serial"},
        {cores::shared, true, 3, all, "two_tree", {{"segments", 1}}},
        {cores::shared, true, 4, 191, "recursive_multiplying"},
        {cores::shared, true, 4, 6143, "recursive_multiplying", {{"radix", 2}}},
        {cores::shared, true, 4, 98303, "fnomial"},
        {cores::shared, true, 4, 393215, "halving_doubling"},
        {cores::shared, true, 4, 786431, "fnomial", {{"segments", 4}}},
        {cores::shared, true, 4, all, "halving_doubling"},
        {cores::shared, true, 6, 95, "recursive_multiplying", {{"radix", 8}}},
        {cores::shared, true, 6, 383, "serial"},
        {cores::shared, true, 6, 393215, "binary_tree"},
        {cores::shared, true, 6, all, "halving_doubling"},
        {cores::shared, true, 8, 767, "serial"},
        {cores::shared, true, 8, 393215, "fnomial", {{"radix", 4}}},
        {cores::shared, true, 8, all, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, true, many, 786431, "serial"},
        {cores::shared, true, many, all, "halving_doubling"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
