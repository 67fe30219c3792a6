// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/chain.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

/// Broadcast along a line of ranks, the vector in S segments: long vectors travel at full bandwidth.
/// Rounds: p - 2 + S.
/// Volume: a rank sends the vector once.
/// Any size, any root, any S >= 1.
/// Source: classic; algorithms for long vectors are measured against it.
constexpr auto generate(collective_constant<collective::bcast>, const chain& how, place at) {
    return bcast_over(chain_tree(at), how.segments);
}

} // namespace tutti
