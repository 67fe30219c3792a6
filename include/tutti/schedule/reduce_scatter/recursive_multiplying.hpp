// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/recursive_multiplying.hpp>
#include <tutti/schedule/reduce_scatter/reversed_allgather.hpp>

namespace tutti {

/// Reduce-scatter in groups of f ranks, far ones first: everybody sends each of its group what that one
/// keeps, always a range of consecutive blocks. The allgather with time running backwards; for several ports;
/// f = 2 is recursive halving. With a gather by the f-nomial tree behind it (`reduce_scatter_gather{f,
/// recursive_multiplying{f}}`) it is the k-nomial scatter-reduce-gather.
///
/// Rounds: one per digit of the ranks' numbers to the base f, of f - 1 messages each; 2 more if ranks are
/// left over: see the allgather. Volume: every rank sends p - 1 of p blocks and folds p - 1 if none is left
/// over; else the busiest, rank 0, folds what it sends in the allgather. Order: needs a commutative
/// operation. Restrictions: none; any f >= 2. Source: Wilkins et al. 2023: see the allgather. Example with 5
/// ranks, radix 3: rank 2 sends blocks 0,1 to rank 0 and 4 to rank 4, and folds 2,3 of both.
constexpr auto generate(collective_constant<collective::reduce_scatter>, const recursive_multiplying& how,
                        place at) {
    return reversed_allgather(allgather_recursive_multiplying(at, how.radix), at);
}

} // namespace tutti
