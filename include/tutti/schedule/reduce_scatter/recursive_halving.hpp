// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/recursive_doubling.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter by exchange at distance p'/2, ..., 2, 1: both partners send the half that the other one
/// keeps, always a range of consecutive blocks. The allgather by recursive doubling with time running
/// backwards.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two. Volume: every rank sends p - 1 of p blocks and
/// folds p - 1 if p is a power of two; else the busiest, rank 0, folds what it sends in the allgather.
/// Order: needs a commutative operation. Restrictions: none.
/// Source: Thakur and Gropp 2003 (recursive halving); ranks are removed as in the allgather.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const recursive_halving&, place at) {
    return reversed_allgather(allgather_recursive_doubling(at), at);
}

} // namespace tutti
