// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/straight.hpp>

namespace tutti {

/// All-to-all in which every block goes straight to its receiver, in the order in which the kshift allgather
/// brings it there: to the k - 1 ranks nearest to its owner, to the rank k ahead and the k - 1 nearest to
/// that one, and so on. Every round is one cyclic shift. These are the shifts of pairwise, near ones first:
/// who has k messages in flight, or comes into step after as many, has them in one neighbourhood.
///
/// Rounds: p - 1; 1 for one rank, which copies its block. Volume: every rank sends p - 1 of p blocks, the
/// least possible. Order: nothing is folded. Restrictions: as pairwise; k >= 1.
/// Source: the windows of Kumar and Kalé 2004, section 4.5.
/// Example with 5 ranks, k = 3: 4, 1, 3 and 2 ahead.
using alltoall_kshift = straight<collective::alltoall, window_order>;

constexpr auto generate(collective_constant<collective::alltoall>, const kshift& how, place at) {
    return alltoall_kshift(at, how.k);
}

} // namespace tutti
