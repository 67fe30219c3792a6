// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/reduce_scatter/bidirectional_ring.hpp>
#include <tutti/schedule/reduce_scatter/binary_blocks.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>
#include <tutti/schedule/reduce_scatter/circulant_pipeline.hpp>
#include <tutti/schedule/reduce_scatter/direct.hpp>
#include <tutti/schedule/reduce_scatter/distance_doubling.hpp>
#include <tutti/schedule/reduce_scatter/kring.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>
#include <tutti/schedule/reduce_scatter/recursive_halving.hpp>
#include <tutti/schedule/reduce_scatter/recursive_multiplying.hpp>
#include <tutti/schedule/reduce_scatter/ring.hpp>
#include <tutti/schedule/reduce_scatter/sparbit.hpp>
#include <tutti/schedule/reduce_scatter/swing.hpp>

namespace tutti::detail {

/// The reduce_scatters of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::reduce_scatter, Whenever> {
    static constexpr collective C = later<Whenever>(collective::reduce_scatter);
    static constexpr auto list() { return std::array{
        entry<C, circulant>("circulant", "q", "sent 1-1/p, folded 1-1/p", "Träff 2024 (arXiv 2410.14234)"),
        entry<C, circulant_pipeline>("circulant_pipeline", "q+S-1", "sent 1-1/p, folded 1-1/p", "Träff 2024 (arXiv 2407.18004)"),
        entry<C, sparbit>("sparbit", "q", "sent 1-1/p, folded 1-1/p", "Jeaugey 2025 (arXiv 2506.20252)"),
        entry<C, pairwise>("pairwise", "p-1", "sent 1-1/p, folded 1-1/p", "Rabenseifner and Adamidis 2004, 3.2"),
        entry<C, ring>("ring", "p-1", "sent 1-1/p, folded 1-1/p", "Patarasuk and Yuan 2009"),
        entry<C, bidirectional_ring>("bidirectional_ring", "floor(p/2)", "sent 1-1/p, folded 1-1/p", "classic"),
        entry<C, kring>("kring", "g ceil(p/g)-1, g = ceil(p/k)", "sent 1-1/p, folded 1-1/p (+g/p)", "Wilkins et al. 2023"),
        entry<C, recursive_halving>("recursive_halving", "lg p' (+2)", "sent 1-1/p, folded 1-1/p (< 5/2)", "Thakur and Gropp 2003"),
        entry<C, recursive_multiplying>("recursive_multiplying", "ceil(log_f p) to ceil(log_f p)+2", "sent 1-1/p, folded 1-1/p (< 3)", "Wilkins et al. 2023"),
        entry<C, distance_doubling>("distance_doubling", "lg p' (+2)", "sent 1-1/p, folded 1-1/p (< 5/2)", "Rabenseifner and Adamidis 2004, 3.5"),
        entry<C, binary_blocks>("binary_blocks", "lg p' (+2)", "sent 1-1/p (1), folded 1-1/p (< 3/2)", "Rabenseifner and Adamidis 2004, 3.6"),
        entry<C, swing>("swing", "lg p' (+2)", "sent 1-1/p, folded 1-1/p (< 5/2)", "De Sensi et al. 2024"),
        entry<C, direct>("direct", "1", "sent 1-1/p, folded 1-1/p", "classic"),
    }; }
};
// clang-format on

} // namespace tutti::detail
