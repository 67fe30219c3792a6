// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce_circulant.hpp>
#include <tutti/schedule/allreduce_halving_doubling.hpp>
#include <tutti/schedule/allreduce_recursive_doubling.hpp>
#include <tutti/schedule/allreduce_tree.hpp>

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
        {cores::own, false, 2, 524287, "recursive_doubling"},
        {cores::own, false, 2, all, "circulant"},
        {cores::own, false, 4, 32767, "recursive_doubling"},
        {cores::own, false, 4, all, "circulant"},
        {cores::own, false, 6, 2047, "recursive_doubling"},
        {cores::own, false, 6, all, "circulant"},
        {cores::own, false, 8, 8191, "recursive_doubling"},
        {cores::own, false, 8, all, "circulant"},
        {cores::own, false, many, 2047, "recursive_doubling"},
        {cores::own, false, many, all, "circulant"},
        {cores::own, true, 3, 524287, "recursive_doubling"},
        {cores::own, true, 3, 2097151, "halving_doubling"},
        {cores::own, true, 3, all, "recursive_doubling"},
        {cores::own, true, 4, 32767, "recursive_doubling"},
        {cores::own, true, 4, all, "halving_doubling"},
        {cores::own, true, 6, 2047, "recursive_doubling"},
        {cores::own, true, 6, 524287, "serial"},
        {cores::own, true, 6, all, "halving_doubling"},
        {cores::own, true, 8, 8191, "recursive_doubling"},
        {cores::own, true, 8, all, "halving_doubling"},
        {cores::own, true, 12, 8191, "recursive_doubling"},
        {cores::own, true, 12, 131071, "serial"},
        {cores::own, true, 12, all, "halving_doubling"},
        {cores::own, true, 24, 8191, "recursive_doubling"},
        {cores::own, true, 24, all, "halving_doubling"},
        {cores::own, true, many, 2047, "recursive_doubling"},
        {cores::own, true, many, all, "halving_doubling"},
        {cores::shared, false, 4, 131071, "recursive_doubling"},
        {cores::shared, false, 4, all, "circulant"},
        {cores::shared, false, 6, 127, "serial"},
        {cores::shared, false, 6, 2047, "recursive_doubling"},
        {cores::shared, false, 6, 32767, "serial"},
        {cores::shared, false, 6, all, "circulant"},
        {cores::shared, false, 8, 8191, "recursive_doubling"},
        {cores::shared, false, 8, all, "circulant"},
        {cores::shared, false, many, 2047, "recursive_doubling"},
        {cores::shared, false, many, all, "circulant"},
        {cores::shared, true, 3, all, "recursive_doubling"},
        {cores::shared, true, 4, 131071, "recursive_doubling"},
        {cores::shared, true, 4, all, "halving_doubling"},
        {cores::shared, true, 6, 127, "serial"},
        {cores::shared, true, 6, 2047, "recursive_doubling"},
        {cores::shared, true, 6, 524287, "serial"},
        {cores::shared, true, 6, all, "halving_doubling"},
        {cores::shared, true, 8, 8191, "recursive_doubling"},
        {cores::shared, true, 8, all, "halving_doubling"},
        {cores::shared, true, many, 2047, "recursive_doubling"},
        {cores::shared, true, many, all, "halving_doubling"},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
