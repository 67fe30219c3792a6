// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/kring.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter round a ring of groups of k ranks, in which parts of a block are folded round a ring of
/// their own before they go on: the allgather with time running backwards.
///
/// Rounds: g ceil(p/g) - 1 with g = ceil(p/k) groups. Volume: every rank sends p - 1 of p blocks and folds
/// p - 1, the busiest p - 1 + g if g does not divide p. Order: needs a commutative operation.
/// Restrictions: none; k >= 1. Source: Wilkins et al. 2023: see the allgather. Example with 5 ranks, k = 2:
/// in the last round rank 0 folds block 0 from rank 1.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const kring& how, place at) {
    return reversed_allgather(allgather_kring(at, how.k), at);
}

} // namespace tutti
