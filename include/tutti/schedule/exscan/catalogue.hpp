// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/exscan/binary_tree.hpp>
#include <tutti/schedule/exscan/census.hpp>
#include <tutti/schedule/exscan/chain.hpp>
#include <tutti/schedule/exscan/doubling_123.hpp>
#include <tutti/schedule/exscan/recursive_doubling.hpp>
#include <tutti/schedule/exscan/two_tree.hpp>

namespace tutti::detail {

/// The exscans of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::exscan, Whenever> {
    static constexpr collective C = later<Whenever>(collective::exscan);
    static constexpr auto list() { return std::array{
        entry<C, census>("census", "q", "sent q, folded q+w-3 to q+w-2", "Bar-Noy, Kipnis and Schieber 1993"),
        entry<C, doubling_123>("doubling_123", "ceil(lg(4(p-1)/3))", "sent q to q+1, folded q-1 to q+1", "Träff 2025 (arXiv 2507.04785)"),
        entry<C, recursive_doubling>("recursive_doubling", "q", "sent q, folded < 2q", "MPICH"),
        entry<C, binary_tree>("binary_tree", "2 floor(lg p)+S-1", "sent 3, folded 4", "Sanders, Speck and Träff 2009"),
        entry<C, two_tree>("two_tree", "2 floor(lg(p+1))+S-1", "sent 2, folded 2", "Sanders, Speck and Träff 2009"),
        entry<C, chain>("chain", "p-2+S", "sent 1, folded 1", "classic"),
    }; }
};
// clang-format on

} // namespace tutti::detail
