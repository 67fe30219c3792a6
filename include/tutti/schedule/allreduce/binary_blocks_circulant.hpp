// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce_scatter/binary_blocks.hpp>

namespace tutti {

/// Allreduce in power-of-two blocks of ranks, which folds along the canonical tree, and back on the circulant
/// graph, where all ranks do the same whatever their number: binary_blocks hands parts from block to block of
/// ranks on the way back, too.
///
/// Rounds: 2 lg p; floor(lg p) + 2 + ceil(lg p) if p is not a power of two. Volume: the busiest rank sends
/// 2 p - 1 of p blocks, 2 p - 2 if p is a power of two, and folds p + lg p at most. Order: kept, along the
/// canonical tree; same bits on all ranks. Restrictions: none.
/// Example with 5 ranks: ranks 0..3 have folded what the five have for blocks 0,4, 1, 2 and 3 after three
/// rounds, 0 sends block 4 to 4, and three rounds of the allgather follow.
/// Source: Rabenseifner and Adamidis 2004, section 3.6; Träff 2024 (arXiv 2410.14234).
constexpr auto generate(collective_constant<collective::allreduce>, const binary_blocks_circulant&,
                        place at) {
    return sequence{generate(of<collective::reduce_scatter>, binary_blocks{}, at),
                    generate(of<collective::allgather>, circulant{}, at)};
}

} // namespace tutti
