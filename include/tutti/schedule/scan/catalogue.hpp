// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/scan/binary_tree.hpp>
#include <tutti/schedule/scan/chain.hpp>
#include <tutti/schedule/scan/hillis_steele.hpp>
#include <tutti/schedule/scan/recursive_doubling.hpp>
#include <tutti/schedule/scan/two_tree.hpp>

namespace tutti::detail {

/// The scans of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::scan, Whenever> {
    static constexpr collective C = later<Whenever>(collective::scan);
    static constexpr auto list() { return std::array{
        entry<C, hillis_steele>("hillis_steele", "q", "sent q, folded q", "Hillis and Steele 1986"),
        entry<C, recursive_doubling>("recursive_doubling", "q", "sent q, folded < 2q", "MPICH"),
        entry<C, binary_tree>("binary_tree", "2 floor(lg p)+S-1", "sent 3, folded 3", "Sanders, Speck and Träff 2009"),
        entry<C, two_tree>("two_tree", "2 floor(lg(p+1))+S-1", "sent 2, folded 2", "Sanders, Speck and Träff 2009"),
        entry<C, chain>("chain", "p-2+S", "sent 1, folded 1", "classic"),
    }; }
};
// clang-format on

} // namespace tutti::detail
