// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>

namespace tutti {

/// Allgather on the circulant graph: the reduce-scatter with time running backwards.
///
/// Rounds: ceil(lg p), more if messages are bounded: see there. Volume: every rank sends p - 1 of p blocks.
/// Without a bound both are the least possible, for every p.
/// Order: nothing is folded. Restrictions: none.
/// Source: Träff 2024 (arXiv 2410.14234), allgather.
constexpr auto generate(collective_constant<collective::allgather>, const circulant& how, place at) {
    const reduce_scatter_circulant scatter(at, how);
    capabilities stated = scatter.claims();
    stated.order_preserving = true;
    stated.reduced_blocks = 0;
    return claiming(reversed(scatter, reversal::copies, at.rank), stated);
}

} // namespace tutti
