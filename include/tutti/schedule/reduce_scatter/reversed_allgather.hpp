// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// The reduce-scatter that the allgather `gather` is with time running backwards: where a block was handed
/// out, its parts are folded. No rank of `gather` may receive a block twice.
/// Volume: every rank sends p - 1 of p blocks, those that it received, and folds as many as it sends in
/// `gather`.
/// Example with 5 ranks: if rank 1 receives block 0 last and from rank 3, it sends what it has for block 0 to
/// rank 3 first.
template <generator G>
constexpr auto reversed_allgather(const G& gather, place at) {
    return reversed_once_each(gather, reversal::folds, at);
}

/// The allreduce of both, `gather` behind its reduce-scatter. What is sent adds up even where ranks differ in
/// `gather`: before, all send alike.
template <generator G>
constexpr auto there_and_back(const G& gather, place at) {
    const auto scatter = reversed_allgather(gather, at);
    const sequence both{scatter, gather};
    capabilities stated = both.claims();
    if (const block_index most = gather.claims().sent_blocks; most != unstated)
        stated.sent_blocks = scatter.claims().sent_blocks + most;
    return claiming(both, stated);
}

} // namespace tutti
