// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/barrier/dissemination.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

namespace tutti::detail {

/// The barriers of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::barrier, Whenever> {
    static constexpr collective C = later<Whenever>(collective::barrier);
    static constexpr auto list() { return std::array{
        entry<C, dissemination>("dissemination", "ceil(log_f p)", "none", "Hensgen, Finkel and Manber 1988"),
    }; }
};
// clang-format on

} // namespace tutti::detail
