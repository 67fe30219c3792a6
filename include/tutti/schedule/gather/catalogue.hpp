// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/gather/bine_tree.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/gather/serial.hpp>

namespace tutti::detail {

/// The gathers of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::gather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::gather);
    static constexpr auto list() { return std::array{
        entry<C, serial>("serial", "1", "sent 1/p", "Moody et al. 2003, 4.1"),
        entry<C, fnomial_of_parts>("fnomial", "ceil(log_f p)", "sent <= 1/2", "Thakur, Rabenseifner and Gropp 2005"),
        entry<C, bine_tree>("bine_tree", "q", "sent <= 2/3", "De Sensi et al. 2025 (arXiv 2508.17311)"),
    }; }
};
// clang-format on

} // namespace tutti::detail
