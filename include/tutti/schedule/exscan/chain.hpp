// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/chain_scan.hpp>

namespace tutti {

/// Exclusive scan along the line of ranks, in S segments.
///
/// Rounds: p - 2 + S. Volume: a rank sends one vector and folds one. Order: kept. Restrictions: none.
/// Source: classic; algorithms for long vectors are measured against it.
constexpr auto generate(collective_constant<collective::exscan>, const chain& how, place at) {
    return chain_scan(scan_with::others, at, how.segments);
}

} // namespace tutti
