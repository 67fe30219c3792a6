// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/bidirectional_ring.hpp>
#include <tutti/schedule/allgather/bruck.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/circulant_pipeline.hpp>
#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/distance_halving.hpp>
#include <tutti/schedule/allgather/hypercube.hpp>
#include <tutti/schedule/allgather/kprefix.hpp>
#include <tutti/schedule/allgather/kring.hpp>
#include <tutti/schedule/allgather/kshift.hpp>
#include <tutti/schedule/allgather/mesh2d.hpp>
#include <tutti/schedule/allgather/neighbor_exchange.hpp>
#include <tutti/schedule/allgather/prefix_send.hpp>
#include <tutti/schedule/allgather/recursive_doubling.hpp>
#include <tutti/schedule/allgather/recursive_multiplying.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/allgather/sparbit.hpp>
#include <tutti/schedule/allgather/swing.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

/// The allgathers of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::allgather, Whenever> {
    static constexpr collective C = later<Whenever>(collective::allgather);
    static constexpr auto list() { return std::array{
        entry<C, circulant>("circulant", "q", "sent 1-1/p", "Träff 2024 (arXiv 2410.14234)"),
        entry<C, circulant_pipeline>("circulant_pipeline", "q+S-1", "sent 1-1/p", "Träff 2024 (arXiv 2407.18004)"),
        entry<C, ring>("ring", "p-1", "sent 1-1/p", "Rabenseifner and Adamidis 2004, 3.2"),
        entry<C, flow_controlled<direct>>("direct", "p-1", "sent 1-1/p", "Kumar and Kalé 2004, 3"),
        entry<C, flow_controlled<prefix_send>>("prefix_send", "2^q-1", "sent 1-1/p", "Kumar and Kalé 2004, 4.3"),
        entry<C, flow_controlled<kprefix>>("kprefix", "k ceil(p/k)-1", "sent (k ceil(p/k)-1)/p", "Kumar and Kalé 2004, 4.4"),
        entry<C, flow_controlled<kshift>>("kshift", "p-1", "sent 1-1/p", "Kumar and Kalé 2004, 4.5"),
        entry<C, bruck>("bruck", "ceil(log_f p)", "sent 1-1/p", "Bruck et al. 1997"),
        entry<C, sparbit>("sparbit", "q", "sent 1-1/p", "Loch and Koslovski 2021 (arXiv 2109.08751)"),
        entry<C, recursive_doubling>("recursive_doubling", "lg p' (+2)", "sent 1-1/p (< 5/2)", "Thakur and Gropp 2003"),
        entry<C, recursive_multiplying>("recursive_multiplying", "ceil(log_f p) to ceil(log_f p)+2", "sent 1-1/p (< 3)", "Wilkins et al. 2023"),
        entry<C, distance_halving>("distance_halving", "lg p' (+2)", "sent 1-1/p (< 5/2)", "Thakur and Gropp 2003"),
        entry<C, swing>("swing", "lg p' (+2)", "sent 1-1/p (< 5/2)", "De Sensi et al. 2024"),
        entry<C, hypercube>("hypercube", "lg p'-z+2^z-1 (+2), z = zeta", "sent 1-1/p (< 3-1/2^z/2)", "Kumar and Kalé 2004, 3.2"),
        entry<C, mesh2d>("mesh2d", "c+ceil(p/c)-2, c = ceil(sqrt(p))", "sent < 1+1/sqrt(p)", "Kumar and Kalé 2004, 3.1"),
        entry<C, neighbor_exchange>("neighbor_exchange", "ceil(p/2)", "sent (2 ceil(p/2)-1)/p", "Chen, Zhang, Zhang and Yuan 2005"),
        entry<C, bidirectional_ring>("bidirectional_ring", "floor(p/2)", "sent 1-1/p", "classic"),
        entry<C, kring>("kring", "g ceil(p/g)-1, g = ceil(p/k)", "sent 1-1/p (+g/p)", "Wilkins et al. 2023"),
    }; }
};
// clang-format on

} // namespace tutti::detail
