// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/alltoall/bruck.hpp>
#include <tutti/schedule/alltoall/circulant.hpp>
#include <tutti/schedule/alltoall/hypercube.hpp>
#include <tutti/schedule/alltoall/kprefix.hpp>
#include <tutti/schedule/alltoall/kshift.hpp>
#include <tutti/schedule/alltoall/mesh2d.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/prefix_send.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/flow_control.hpp>

namespace tutti::detail {

/// The alltoalls of the catalogue. A new one is its header and one line here.
// A table, one algorithm per line.
// clang-format off
template <class Whenever>
struct catalogue_part<collective::alltoall, Whenever> {
    static constexpr collective C = later<Whenever>(collective::alltoall);
    static constexpr auto list() { return std::array{
        entry<C, bruck>("bruck", "ceil(log_f p)", "sent <= (1-1/f) ceil(log_f p)", "Bruck et al. 1997"),
        entry<C, circulant>("circulant", "q", "sent <= q/2", "Träff 2024 (arXiv 2410.14234)"),
        entry<C, mesh2d>("mesh2d", "c+ceil(p/c)-2, c = ceil(sqrt(p))", "sent < 2-2/p", "Kalé, Kumar and Varadarajan 2003"),
        entry<C, hypercube>("hypercube", "n-z+2^z m-1 (+1), p = 2^n m, z = zeta", "sent (n-z)/2+1-2^(n-z)/p", "Kalé, Kumar and Varadarajan 2003"),
        entry<C, flow_controlled<pairwise>>("pairwise", "p-1", "sent 1-1/p", "classic"),
        entry<C, flow_controlled<prefix_send>>("prefix_send", "2^q-1", "sent 1-1/p", "Heller 1994"),
        entry<C, flow_controlled<kprefix>>("kprefix", "k ceil(p/k)-1", "sent 1-1/p", "Kumar and Kalé 2004, 4.4"),
        entry<C, flow_controlled<kshift>>("kshift", "p-1", "sent 1-1/p", "Kumar and Kalé 2004, 4.5"),
    }; }
};
// clang-format on

} // namespace tutti::detail
