// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/circulant.hpp>
#include <tutti/schedule/allreduce/halving_doubling.hpp>
#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/schedule/allreduce/tree.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::allreduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allreduce);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, serial>("serial"), winner<C, recursive_doubling>("recursive_doubling"), winner<C, circulant>("circulant"), winner<C, halving_doubling>("halving_doubling")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, false, 2, 393215, "recursive_doubling"},
        {cores::own, false, 2, all, "circulant"},
        {cores::own, false, 3, 20479, "serial"},
        {cores::own, false, 3, all, "circulant"},
        {cores::own, false, 4, 81919, "recursive_doubling"},
        {cores::own, false, 4, all, "circulant"},
        {cores::own, false, many, 5119, "recursive_doubling"},
        {cores::own, false, many, all, "circulant"},
        {cores::own, true, 2, 393215, "recursive_doubling"},
        {cores::own, true, 2, all, "halving_doubling"},
        {cores::own, true, 3, 786431, "serial"},
        {cores::own, true, 3, 3145727, "halving_doubling"},
        {cores::own, true, 3, all, "serial"},
        {cores::own, true, 4, 81919, "recursive_doubling"},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 5119, "recursive_doubling"},
        {cores::own, true, 6, 393215, "serial"},
        {cores::own, true, 6, all, "halving_doubling"},
        {cores::own, true, 8, 20479, "recursive_doubling"},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 5119, "recursive_doubling"},
        {cores::own, true, 12, 196607, "serial"},
        {cores::own, true, 12, all, "halving_doubling"},
        {cores::own, true, many, 5119, "recursive_doubling"},
        {cores::own, true, many, all, "halving_doubling"},
        {cores::shared, false, 3, 5119, "recursive_doubling"},
        {cores::shared, false, 3, 81919, "serial"},
        {cores::shared, false, 3, all, "circulant"},
        {cores::shared, false, 4, 19, "recursive_doubling"},
        {cores::shared, false, 4, 81919, "serial"},
        {cores::shared, false, 4, 1572863, "halving_doubling"},
        {cores::shared, false, 4, all, "circulant"},
        {cores::shared, false, 6, 196607, "serial"},
        {cores::shared, false, 6, all, "circulant"},
        {cores::shared, false, many, 196607, "serial"},
        {cores::shared, false, many, all, "halving_doubling"},
        {cores::shared, true, 3, 5119, "recursive_doubling"},
        {cores::shared, true, 3, 1572863, "serial"},
        {cores::shared, true, 3, all, "halving_doubling"},
        {cores::shared, true, 4, 19, "recursive_doubling"},
        {cores::shared, true, 4, 81919, "serial"},
        {cores::shared, true, 4, all, "halving_doubling"},
        {cores::shared, true, many, 196607, "serial"},
        {cores::shared, true, many, all, "halving_doubling"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
