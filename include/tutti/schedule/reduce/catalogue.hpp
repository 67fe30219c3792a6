// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/reduce/binary_blocks.hpp>
#include <tutti/schedule/reduce/bine_tree.hpp>
#include <tutti/schedule/reduce/canonical_doubling.hpp>
#include <tutti/schedule/reduce/circulant_pipeline.hpp>
#include <tutti/schedule/reduce/fnomial_split.hpp>
#include <tutti/schedule/reduce/halving_doubling.hpp>
#include <tutti/schedule/reduce/pairwise_ring.hpp>
#include <tutti/schedule/reduce/reduce_scatter_gather.hpp>
#include <tutti/schedule/reduce/ring.hpp>
#include <tutti/schedule/reduce/tree.hpp>

namespace tutti::detail {

/// The reduces of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::reduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::reduce);
    static constexpr auto list() { return std::array{
        entry<C, serial>("serial", "1", "sent 1, folded p-1", "Moody et al. 2003, 4.1 and 5.1"),
        entry<C, chain>("chain", "p-2+S", "sent 1, folded 1", "classic"),
        entry<C, kary>("kary", "T+S-1, T = ceil(log_k((k-1)p+1))-1", "sent 1, folded k", "Moody et al. 2003, 6.1"),
        entry<C, fnomial>("fnomial", "ceil(log_f p)+S-1", "sent 1, folded F", "Moody et al. 2003, 5.2"),
        entry<C, canonical_doubling>("canonical_doubling", "q", "sent 1, folded floor(lg p) (+1)", "here"),
        entry<C, bine_tree>("bine_tree", "q", "sent 1, folded floor(lg p) (+1)", "De Sensi et al. 2025 (arXiv 2508.17311)"),
        entry<C, fnomial_split>("fnomial_split", "s+ceil(log_f ceil(p/2^s))+1", "sent 1, folded 1+(F-1)/2^s to 2+(F-3)/2^s, F of ceil(p/2^s) ranks", "Moody et al. 2003, 5.3"),
        entry<C, binary_tree>("binary_tree", "q+S-1", "sent 1, folded 2", "Sanders, Speck and Träff 2009"),
        entry<C, two_tree>("two_tree", "floor(lg p)+S", "sent 1, folded 1", "Sanders, Speck and Träff 2009"),
        entry<C, circulant_pipeline>("circulant_pipeline", "q+S-1", "sent 1, folded 1+(q-1)/S", "Träff 2024 (arXiv 2407.18004)"),
        entry<C, halving_doubling>("halving_doubling", "2 lg p' (+2)", "sent 3/2-1/p' (<= 2-1/p'), folded 1-1/p' (+1/2)", "Rabenseifner and Adamidis 2004, 3.5"),
        entry<C, binary_blocks>("binary_blocks", "2 lg p' (+1)", "sent 3/2-1/p', folded 1-1/p' (1)", "Rabenseifner and Adamidis 2004, 3.6"),
        entry<C, reduce_scatter_gather<circulant>>("reduce_scatter_gather", "q+ceil(log_f p)", "sent <= 3/2-1/p, folded 1-1/p", "van de Geijn 1991"),
        entry<C, pairwise_ring>("pairwise_ring", "p", "sent 1, folded 1-1/p", "Rabenseifner and Adamidis 2004, 3.7"),
        entry<C, ring>("ring", "p", "sent 1, folded 1-1/p", "Patarasuk and Yuan 2009"),
    }; }
};
// clang-format on

} // namespace tutti::detail
