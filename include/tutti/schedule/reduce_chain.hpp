// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/chain.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_tree.hpp>

namespace tutti {

/// Reduction along a line of ranks, the vector in S segments: long vectors travel at full bandwidth.
/// Rounds: p - 2 + S.
/// Volume: a rank sends and folds the vector once.
/// Order: kept if the root is 0 or p - 1, the ends of the line otherwise meet in its middle.
/// Any size, any root, any S >= 1.
/// Source: classic; algorithms for long vectors are measured against it.
constexpr auto generate(collective_constant<collective::reduce>, const chain& how, place at) {
    return reduce_over(chain_tree(at), how.segments, at.rank);
}

} // namespace tutti
