// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/bcast/bine_tree.hpp>
#include <tutti/schedule/bcast/circulant_pipeline.hpp>
#include <tutti/schedule/bcast/scatter_allgather.hpp>
#include <tutti/schedule/bcast/split_binary.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

namespace tutti::detail {

/// The bcasts of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::bcast, Whenever> {
    static constexpr collective C = later<Whenever>(collective::bcast);
    static constexpr auto list() { return std::array{
        entry<C, serial>("serial", "1", "sent p-1", "Moody et al. 2003, 4.1 (mirrored)"),
        entry<C, chain>("chain", "p-2+S", "sent 1", "classic"),
        entry<C, kary>("kary", "T+S-1, T = ceil(log_k((k-1)p+1))-1", "sent k", "classic"),
        entry<C, fnomial>("fnomial", "ceil(log_f p)+S-1", "sent F", "Moody et al. 2003, 5.2"),
        entry<C, bine_tree>("bine_tree", "q", "sent floor(lg p) (+1)", "De Sensi et al. 2025 (arXiv 2508.17311)"),
        entry<C, binary_tree>("binary_tree", "q+S-1", "sent 2", "Sanders, Speck and Träff 2009"),
        entry<C, two_tree>("two_tree", "floor(lg p)+S", "sent 1", "Sanders, Speck and Träff 2009"),
        entry<C, split_binary>("split_binary", "floor(lg p)+S", "sent 3/2", "Pješivac-Grbović et al. 2007"),
        entry<C, circulant_pipeline>("circulant_pipeline", "q+S-1", "sent 1+(q-1)/S", "Träff 2024 (arXiv 2407.18004)"),
        entry<C, scatter_allgather<circulant>>("scatter_allgather", "ceil(log_f p)+q", "sent 2-2/p", "Barnett et al. 1994 (van de Geijn)"),
        entry<C, scatter_allgather<ring>>("scatter_ring_allgather", "ceil(log_f p)+p-1", "sent 2-2/p", "Barnett et al. 1994 (van de Geijn)"),
    }; }
};
// clang-format on

} // namespace tutti::detail
