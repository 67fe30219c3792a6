// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/bidirectional_ring.hpp>
#include <tutti/schedule/allreduce/binary_blocks.hpp>
#include <tutti/schedule/allreduce/binary_blocks_circulant.hpp>
#include <tutti/schedule/allreduce/canonical_doubling.hpp>
#include <tutti/schedule/allreduce/census.hpp>
#include <tutti/schedule/allreduce/circulant.hpp>
#include <tutti/schedule/allreduce/circulant_pipeline.hpp>
#include <tutti/schedule/allreduce/dual_root.hpp>
#include <tutti/schedule/allreduce/halving_doubling.hpp>
#include <tutti/schedule/allreduce/kring.hpp>
#include <tutti/schedule/allreduce/pairwise_ring.hpp>
#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/schedule/allreduce/recursive_multiplying.hpp>
#include <tutti/schedule/allreduce/reduce_scatter_allgather.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/allreduce/segmented_ring.hpp>
#include <tutti/schedule/allreduce/sparbit.hpp>
#include <tutti/schedule/allreduce/swing.hpp>
#include <tutti/schedule/allreduce/swing_latency.hpp>
#include <tutti/schedule/allreduce/tree.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

namespace tutti::detail {

/// The allreduces of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::allreduce, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allreduce);
    static constexpr auto list() { return std::array{
        entry<C, serial>("serial", "2", "sent p-1, folded p-1", "Moody et al. 2003, 4.1 and 6.1"),
        entry<C, kary>("kary", "2(T+S-1), T = ceil(log_k((k-1)p+1))-1", "sent k+1, folded k", "Moody et al. 2003, 6.1"),
        entry<C, fnomial>("fnomial", "2(ceil(log_f p)+S-1)", "sent F, folded F", "Moody et al. 2003, 5.2 and 6.1"),
        entry<C, binary_tree>("binary_tree", "2(floor(lg p)+S-1)", "sent 3, folded 2", "Sanders, Speck and Träff 2009"),
        entry<C, two_tree>("two_tree", "2(floor(lg p)+S)", "sent 2, folded 1", "Sanders, Speck and Träff 2009"),
        entry<C, dual_root>("dual_root", "4 lg p+3S-11 to 4 lg p+3S-5", "sent 3, folded 3", "Träff 2021 (arXiv 2109.12626)"),
        entry<C, recursive_doubling>("recursive_doubling", "q (+1)", "sent q, folded q", "Rabenseifner and Adamidis 2004, 3.4"),
        entry<C, canonical_doubling>("canonical_doubling", "q", "sent q to 2q-1, folded q", "here"),
        entry<C, recursive_multiplying>("recursive_multiplying", "ceil(log_f p) to ceil(log_f p)+2", "sent <= (f-1) log_f p (+1), folded <= (f-1) log_f p (+1)", "Wilkins et al. 2023"),
        entry<C, swing_latency>("swing_latency", "q (+1)", "sent q, folded q", "De Sensi et al. 2024"),
        entry<C, census>("census", "q", "sent q, folded q+w-1", "Bar-Noy, Kipnis and Schieber 1993"),
        entry<C, halving_doubling>("halving_doubling", "2 lg p' (+3)", "sent 2-2/p' (+3/2), folded 1-1/p' (+1/2)", "Rabenseifner and Adamidis 2004, 3.5"),
        entry<C, reduce_scatter_allgather>("reduce_scatter_allgather", "2 ceil(log_f p) to 2 ceil(log_f p)+4", "sent 2-2/p (< 4), folded 1-1/p (< 3)", "Wilkins et al. 2023; MPICH, UCC"),
        entry<C, binary_blocks>("binary_blocks", "2 lg p' (+2)", "sent 2-2/p' (<= 2), folded 1-1/p' (1)", "Rabenseifner and Adamidis 2004, 3.6"),
        entry<C, binary_blocks_circulant>("binary_blocks_circulant", "lg p'+q (+2)", "sent 2-2/p (+1/p), folded 1-1/p (< 3/2)", "Rabenseifner and Adamidis 2004, 3.6; Träff 2024"),
        entry<C, pairwise_ring>("pairwise_ring", "2(p-1)", "sent 2-2/p, folded 1-1/p", "Rabenseifner and Adamidis 2004, 3.7"),
        entry<C, ring>("ring", "2(p-1)", "sent 2-2/p, folded 1-1/p", "Patarasuk and Yuan 2009"),
        entry<C, segmented_ring>("segmented_ring", "2(p-1)+S-1", "sent 2-2/p, folded 1-1/p", "Patarasuk and Yuan 2009; Open MPI"),
        entry<C, bidirectional_ring>("bidirectional_ring", "2 floor(p/2)", "sent 2-2/p, folded 1-1/p", "classic"),
        entry<C, kring>("kring", "2(g ceil(p/g)-1), g = ceil(p/k)", "sent 2-2/p (+g/p), folded 1-1/p (+g/p)", "Wilkins et al. 2023"),
        entry<C, swing>("swing", "2 lg p' (+4)", "sent 2-2/p (< 7/2), folded 1-1/p (< 5/2)", "De Sensi et al. 2024"),
        entry<C, circulant>("circulant", "2q", "sent 2-2/p, folded 1-1/p", "Träff 2024 (arXiv 2410.14234)"),
        entry<C, circulant_pipeline>("circulant_pipeline", "2(q+S-1)", "sent <= 2+(q-1)/S, folded 1+(q-1)/S", "Träff 2024 (arXiv 2407.18004)"),
        entry<C, sparbit>("sparbit", "2q", "sent 2-2/p, folded 1-1/p", "Jeaugey 2025 (arXiv 2506.20252)"),
    }; }
};
// clang-format on

} // namespace tutti::detail
