// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_scatter/binary_blocks.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>
#include <tutti/schedule/reduce_scatter/direct.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>
#include <tutti/schedule/reduce_scatter/swing.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::reduce_scatter, Whenever> {
    static constexpr collective C = later<Whenever>(collective::reduce_scatter);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, direct>("direct"), winner<C, circulant>("circulant"), winner<C, pairwise>("pairwise"), winner<C, binary_blocks>("binary_blocks"), winner<C, swing>("swing")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, 2, all, "circulant"},
        {cores::own, false, 3, 1572863, "direct"},
        {cores::own, false, 3, 3145727, "pairwise"},
        {cores::own, false, 3, all, "direct"},
        {cores::own, false, 4, 95, "circulant"},
        {cores::own, false, 4, 383, "direct"},
        {cores::own, false, 4, 3071, "circulant"},
        {cores::own, false, 4, 6143, "direct"},
        {cores::own, false, 4, 12287, "circulant"},
        {cores::own, false, 4, all, "direct"},
        {cores::own, false, 6, 12287, "circulant"},
        {cores::own, false, 6, all, "direct"},
        {cores::own, false, 8, 24575, "circulant"},
        {cores::own, false, 8, all, "direct"},
        {cores::own, false, 16, 49151, "circulant"},
        {cores::own, false, 16, all, "direct"},
        {cores::own, false, 17, 98303, "circulant"},
        {cores::own, false, 17, all, "direct"},
        {cores::own, false, 24, 196607, "circulant"},
        {cores::own, false, 24, all, "direct"},
        {cores::own, false, many, all, "circulant"},
        {cores::own, true, 16, all, "direct"},
        {cores::own, true, 17, 49151, "binary_blocks"},
        {cores::own, true, 17, all, "direct"},
        {cores::own, true, 24, 98303, "binary_blocks"},
        {cores::own, true, 24, all, "direct"},
        {cores::own, true, many, all, "binary_blocks"},
        {cores::shared, false, 3, all, "direct"},
        {cores::shared, false, 4, 191, "direct"},
        {cores::shared, false, 4, 98303, "binary_blocks"},
        {cores::shared, false, 4, 1572863, "swing"},
        {cores::shared, false, 4, 3145727, "binary_blocks"},
        {cores::shared, false, 4, all, "direct"},
        {cores::shared, false, 6, 287, "direct"},
        {cores::shared, false, 6, 9215, "swing"},
        {cores::shared, false, 6, 36863, "direct"},
        {cores::shared, false, 6, 1179647, "circulant"},
        {cores::shared, false, 6, all, "pairwise"},
        {cores::shared, false, 8, 191, "direct"},
        {cores::shared, false, 8, 393215, "binary_blocks"},
        {cores::shared, false, 8, 3145727, "swing"},
        {cores::shared, false, 8, all, "pairwise"},
        {cores::shared, false, many, 191, "direct"},
        {cores::shared, false, many, 98303, "binary_blocks"},
        {cores::shared, false, many, 3145727, "direct"},
        {cores::shared, false, many, all, "pairwise"},
        {cores::shared, true, 3, all, "direct"},
        {cores::shared, true, 4, 191, "direct"},
        {cores::shared, true, 4, all, "binary_blocks"},
        {cores::shared, true, 6, 287, "direct"},
        {cores::shared, true, 6, 4607, "binary_blocks"},
        {cores::shared, true, 6, 36863, "direct"},
        {cores::shared, true, 6, 294911, "binary_blocks"},
        {cores::shared, true, 6, all, "direct"},
        {cores::shared, true, 8, 191, "direct"},
        {cores::shared, true, 8, all, "binary_blocks"},
        {cores::shared, true, many, 191, "direct"},
        {cores::shared, true, many, 98303, "binary_blocks"},
        {cores::shared, true, many, all, "direct"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
