// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// What `gather`, the claims of an allgather in which no rank receives a block twice, become with time
/// running backwards: every rank sends the p - 1 blocks that it received, and folds as many as it sent.
constexpr capabilities reversed_claims(capabilities gather, place at) noexcept {
    gather.order_preserving = false;
    gather.reduced_blocks = gather.sent_blocks;
    gather.sent_blocks = at.size - 1;
    if (gather.uniform_rounds < gather.rounds) gather.uniform_rounds = 0;
    gather.bounded_from = unstated;
    return gather;
}

/// The reduce-scatter that the allgather `gather` is with time running backwards: where a block was handed
/// out, its parts are folded. No rank of `gather` may receive a block twice.
/// Volume: every rank sends p - 1 of p blocks and folds as many as it sends in `gather`.
/// Example with 5 ranks: if rank 1 receives block 0 last and from rank 3, it sends what it has for block 0 to
/// rank 3 first.
template <generator G>
constexpr auto reversed_allgather(const G& gather, place at) {
    return claiming(reversed(gather, reversal::folds, at.rank), reversed_claims(gather.claims(), at));
}

/// The allreduce of both, `gather` behind its reduce-scatter. What they claim adds up even where ranks differ
/// in `gather`: whoever sends most there folds most before, when all send alike.
template <generator G>
constexpr auto there_and_back(const G& gather, place at) {
    const sequence both{reversed_allgather(gather, at), gather};
    capabilities stated = both.claims();
    stated.reduced_blocks = gather.claims().sent_blocks;
    stated.sent_blocks = stated.reduced_blocks == unstated ? unstated : at.size - 1 + stated.reduced_blocks;
    return claiming(both, stated);
}

} // namespace tutti
