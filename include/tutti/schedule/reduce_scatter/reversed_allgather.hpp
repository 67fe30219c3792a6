// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// The reduce-scatter that the allgather `gather` is with time running backwards: where a block was handed
/// out, its parts are folded. No rank of `gather` may receive a block twice: so each of them sends p - 1
/// here. Volume: every rank sends p - 1 of p blocks and folds as many as it sends in `gather`. Example with 5
/// ranks: if rank 1 received block 0 last and from rank 3, it sends what it has for block 0 to rank 3 first.
template <generator G>
constexpr auto reversed_allgather(const G& gather, place at) {
    capabilities stated = gather.claims();
    stated.order_preserving = false;
    stated.reduced_blocks = stated.sent_blocks;
    stated.sent_blocks = at.size - 1;
    if (stated.uniform_rounds < stated.rounds) stated.uniform_rounds = 0;
    return claiming(reversed(gather, reversal::folds, at.rank), stated);
}

} // namespace tutti
