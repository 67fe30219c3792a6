// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/swing.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter by exchange at the distances of Swing, 1, -1, 3, -5, 11, ...: both partners send what the
/// other one keeps, half the vector to the nearest rank. The allgather with time running backwards.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two. Volume: every rank sends p - 1 of p blocks and
/// folds p - 1 if p is a power of two; else the busiest folds what it sends in the allgather.
/// Order: needs a commutative operation. Restrictions: none. Source: see the allgather.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const swing&, place at) {
    return reversed_allgather(allgather_swing(at), at);
}

} // namespace tutti
