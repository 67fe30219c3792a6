// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/scatter/bine_tree.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>
#include <tutti/schedule/scatter/serial.hpp>

namespace tutti::detail {

/// The scatters of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::scatter, Whenever> {
    static constexpr collective C = later<Whenever>(collective::scatter);
    static constexpr auto list() { return std::array{
        entry<C, serial>("serial", "1", "sent 1-1/p", "Moody et al. 2003, 4.1 (mirrored)"),
        entry<C, fnomial_of_parts>("fnomial", "ceil(log_f p)", "sent 1-1/p", "Thakur, Rabenseifner and Gropp 2005"),
        entry<C, bine_tree>("bine_tree", "q", "sent 1-1/p", "De Sensi et al. 2025 (arXiv 2508.17311)"),
    }; }
};
// clang-format on

} // namespace tutti::detail
