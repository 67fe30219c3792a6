// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/choose/default_rules.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/barrier/dissemination.hpp>

namespace tutti::detail {

// clang-format off
template <class Whenever>
struct default_rules<collective::barrier, Whenever> {
    static constexpr collective C = later<Whenever>(collective::barrier);
    static constexpr auto many = default_rule::any_size;
    static constexpr auto all = default_rule::any_bytes;
    static constexpr std::array winners{winner<C, dissemination>("dissemination")};
    static constexpr auto list = rules_of(winners, {
        // written by tutti tune, from here
        {cores::own, true, 3, all, "dissemination", {{"radix", 8}}},
        {cores::own, true, 16, all, "dissemination"},
        {cores::own, true, many, all, "dissemination", {{"radix", 4}}},
        {cores::shared, true, many, all, "dissemination", {{"radix", 8}}},
        // to here
    });
};
// clang-format on

} // namespace tutti::detail
