// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce/binary_blocks.hpp>
#include <tutti/schedule/reduce/canonical_doubling.hpp>
#include <tutti/schedule/reduce/circulant_pipeline.hpp>
#include <tutti/schedule/reduce/halving_doubling.hpp>
#include <tutti/schedule/reduce/pairwise_ring.hpp>
#include <tutti/schedule/reduce/tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::reduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::reduce);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, fnomial>("fnomial"), winner<C, binary_tree>("binary_tree"), winner<C, halving_doubling>("halving_doubling"), winner<C, pairwise_ring>("pairwise_ring"), winner<C, circulant_pipeline>("circulant_pipeline"), winner<C, binary_blocks>("binary_blocks"), winner<C, two_tree>("two_tree"), winner<C, canonical_doubling>("canonical_doubling")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, 2, 1535, "fnomial"},
        {cores::own, false, 2, 3071, "two_tree", {{"segments", 1}}},
        {cores::own, false, 2, 24575, "fnomial"},
        {cores::own, false, 2, 49151, "two_tree", {{"segments", 8}}},
        {cores::own, false, 2, 98303, "two_tree", {{"segments", 16}}},
        {cores::own, false, 2, 393215, "fnomial"},
        {cores::own, false, 2, all, "pairwise_ring"},
        {cores::own, false, 3, 3071, "fnomial", {{"radix", 8}}},
        {cores::own, false, 3, 393215, "fnomial", {{"radix", 4}}},
        {cores::own, false, 3, all, "pairwise_ring"},
        {cores::own, false, 4, 3071, "fnomial", {{"radix", 4}}},
        {cores::own, false, 4, 196607, "serial"},
        {cores::own, false, 4, all, "pairwise_ring"},
        {cores::own, false, 6, 47, "fnomial"},
        {cores::own, false, 6, 95, "fnomial", {{"radix", 8}}},
        {cores::own, false, 6, 191, "fnomial", {{"radix", 4}}},
        {cores::own, false, 6, 1535, "fnomial", {{"radix", 8}}},
        {cores::own, false, 6, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, false, 6, 98303, "serial"},
        {cores::own, false, 6, all, "pairwise_ring"},
        {cores::own, false, 8, 47, "fnomial", {{"radix", 4}}},
        {cores::own, false, 8, 191, "serial"},
        {cores::own, false, 8, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, false, 8, 49151, "fnomial", {{"radix", 8}}},
        {cores::own, false, 8, all, "pairwise_ring"},
        {cores::own, false, 12, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, false, 12, 49151, "fnomial", {{"radix", 8}}},
        {cores::own, false, 12, all, "pairwise_ring"},
        {cores::own, false, 16, 6143, "fnomial", {{"radix", 4}}},
        {cores::own, false, 16, 24575, "fnomial", {{"radix", 8}}},
        {cores::own, false, 16, 196607, "halving_doubling"},
        {cores::own, false, 16, all, "pairwise_ring"},
        {cores::own, false, 17, 3071, "circulant_pipeline", {{"segments", 1}}},
        {cores::own, false, 17, 24575, "fnomial", {{"radix", 8}}},
        {cores::own, false, 17, 393215, "binary_blocks"},
        {cores::own, false, 17, all, "circulant_pipeline", {{"segments", 32}}},
        {cores::own, false, 192, 47, "fnomial", {{"radix", 4}}},
        {cores::own, false, 192, 191, "circulant_pipeline", {{"segments", 4}}},
        {cores::own, false, 192, 1535, "fnomial", {{"radix", 4}}},
        {cores::own, false, 192, 12287, "circulant_pipeline", {{"segments", 4}}},
        {cores::own, false, 192, 393215, "binary_blocks"},
        {cores::own, false, 192, all, "circulant_pipeline", {{"segments", 32}}},
        {cores::own, false, many, 47, "fnomial", {{"radix", 4}}},
        {cores::own, false, many, 12287, "circulant_pipeline", {{"segments", 4}}},
        {cores::own, false, many, 786431, "binary_blocks"},
        {cores::own, false, many, all, "circulant_pipeline", {{"segments", 64}}},
        {cores::own, true, 2, 1535, "fnomial"},
        {cores::own, true, 2, 3071, "two_tree", {{"segments", 1}}},
        {cores::own, true, 2, 24575, "fnomial"},
        {cores::own, true, 2, 49151, "two_tree", {{"segments", 8}}},
        {cores::own, true, 2, 98303, "two_tree", {{"segments", 16}}},
        {cores::own, true, 2, 393215, "fnomial"},
        {cores::own, true, 2, all, "halving_doubling"},
        {cores::own, true, 3, 393215, "serial"},
        {cores::own, true, 3, all, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 4, 196607, "serial"},
        {cores::own, true, 4, 393215, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 4, 1572863, "halving_doubling"},
        {cores::own, true, 4, 3145727, "binary_tree", {{"segments", 64}}},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 196607, "serial"},
        {cores::own, true, 6, all, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 8, 98303, "serial"},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 11, "serial"},
        {cores::own, true, 12, 47, "binary_tree"},
        {cores::own, true, 12, 49151, "serial"},
        {cores::own, true, 12, 393215, "binary_tree", {{"segments", 8}}},
        {cores::own, true, 12, all, "binary_tree", {{"segments", 16}}},
        {cores::own, true, 16, 47, "binary_tree"},
        {cores::own, true, 16, 767, "serial"},
        {cores::own, true, 16, 3071, "binary_tree"},
        {cores::own, true, 16, 6143, "halving_doubling"},
        {cores::own, true, 16, 24575, "serial"},
        {cores::own, true, 16, all, "halving_doubling"},
        {cores::own, true, 17, 6143, "canonical_doubling"},
        {cores::own, true, 17, all, "binary_blocks"},
        {cores::own, true, many, 3071, "canonical_doubling"},
        {cores::own, true, many, all, "binary_blocks"},
        {cores::shared, false, 3, 24575, "serial"},
        {cores::shared, false, 3, 786431, "circulant_pipeline", {{"segments", 1}}},
        {cores::shared, false, 3, all, "circulant_pipeline", {{"segments", 4}}},
        {cores::shared, false, 4, 1535, "serial"},
        {cores::shared, false, 4, 3145727, "fnomial"},
        {cores::shared, false, 4, all, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, false, 6, 12287, "serial"},
        {cores::shared, false, 6, 24575, "binary_tree"},
        {cores::shared, false, 6, 49151, "fnomial", {{"radix", 4}}},
        {cores::shared, false, 6, 98303, "fnomial"},
        {cores::shared, false, 6, 196607, "binary_tree"},
        {cores::shared, false, 6, 393215, "fnomial"},
        {cores::shared, false, 6, 1572863, "circulant_pipeline", {{"segments", 4}}},
        {cores::shared, false, 6, all, "circulant_pipeline"},
        {cores::shared, false, 8, 6143, "serial"},
        {cores::shared, false, 8, 786431, "fnomial"},
        {cores::shared, false, 8, all, "fnomial", {{"radix", 4}, {"segments", 4}}},
        {cores::shared, false, many, 98303, "serial"},
        {cores::shared, false, many, 786431, "fnomial", {{"radix", 8}}},
        {cores::shared, false, many, 3145727, "fnomial", {{"radix", 4}}},
        {cores::shared, false, many, all, "fnomial", {{"radix", 4}, {"segments", 16}}},
        {cores::shared, true, 3, 98303, "serial"},
        {cores::shared, true, 3, 393215, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 3, 786431, "serial"},
        {cores::shared, true, 3, all, "binary_blocks"},
        {cores::shared, true, 4, 49151, "serial"},
        {cores::shared, true, 4, all, "halving_doubling"},
        {cores::shared, true, 6, 12287, "serial"},
        {cores::shared, true, 6, 196607, "binary_tree"},
        {cores::shared, true, 6, all, "binary_blocks"},
        {cores::shared, true, 8, 6143, "serial"},
        {cores::shared, true, 8, 98303, "binary_tree"},
        {cores::shared, true, 8, 196607, "binary_blocks"},
        {cores::shared, true, 8, 1572863, "binary_tree", {{"segments", 4}}},
        {cores::shared, true, 8, all, "binary_blocks"},
        {cores::shared, true, many, all, "serial"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
