// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>

namespace tutti {

/// Reduction of long vectors: a reduce-scatter, then a gather of the blocks up the f-nomial tree.
///
/// Rounds: those of the reduce-scatter and ceil(log_f p), so 2 ceil(lg p) with `circulant` and radix 2, for
/// every p.
/// Volume: what all send and fold in the reduce-scatter, with `circulant` p - 1 of p blocks, and in the
/// gather the largest subtree below the root, p/2 blocks if p is a power of two and f is 2, never more. It is
/// stated for reduce-scatters in which all ranks do the same. Order: as the reduce-scatter. Any size, any
/// root, any f >= 2. Example with 5 ranks, root 0, radix 2: after the reduce-scatter 3 sends block 3 to 2 and
/// 1 sends block 1 to 0, then 2 sends 2,3 to 0, then 4 sends 4 to 0. Source: van de Geijn 1991; Rabenseifner
/// and Adamidis 2004, section 3.5, for powers of two.
template <class ReduceScatter>
constexpr auto generate(collective_constant<collective::reduce>,
                        const reduce_scatter_gather<ReduceScatter>& how, place at) {
    const sequence both{generate(of<collective::reduce_scatter>, how.reduce_scatter, at),
                        generate(of<collective::gather>, fnomial{.radix = how.radix}, at)};
    capabilities stated = both.claims();
    stated.order_preserving =
        stated.order_preserving || at.size == 1; // whatever the reduce-scatter says of it
    return claiming(both, stated);
}

} // namespace tutti
