// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// Allreduce round a ring, the vector cut into S segments that follow each other round by round: while a rank
/// folds what came of one, what it sent of another is on its way. As long as segments are long enough this
/// hides the shorter of folding and transfer, for S times as many messages.
///
/// Rounds: 2 (p - 1) + S - 1 (none if p is 1). Volume: every rank sends 2 (p - 1) of p parts of the vector
/// and folds p - 1: the least possible. Cost: about 2 (p - 1) S alpha + (p - 1)/p n (2 beta or beta + gamma).
/// Order: needs a commutative operation; same bits on all ranks. Restrictions: none; S >= 1.
/// Source: the ring is that of Patarasuk and Yuan 2009; segments as in Open MPI's ring_segmented, which lets
/// one go round after the other.
constexpr auto generate(collective_constant<collective::allreduce>, const segmented_ring& how, place at) {
    const auto once = generate(of<collective::allreduce>, ring{}, at);
    const pipelined flow(once, how.segments);
    capabilities stated = flow.claims();
    // All rounds of a ring have as many messages, which its claims do not say; so many of them meet.
    stated.max_outstanding = once.claims().max_outstanding * std::min(how.segments, once.rounds());
    return claiming(flow, stated);
}

} // namespace tutti
