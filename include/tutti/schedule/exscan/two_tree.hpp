// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/two_tree_scan.hpp>

namespace tutti {

/// Exclusive scan of half the vector in each of two in-order binary trees, each half in S segments.
///
/// Rounds: 2 floor(lg(p + 1)) + S - 1 from 2 ranks on. Volume: a rank sends 2 vectors and folds 2, fewer with
/// less than 7 ranks. Order: kept. Restrictions: none. Source: Sanders, Speck and Träff 2009.
constexpr auto generate(collective_constant<collective::exscan>, const two_tree& how, place at) {
    return two_tree_scan(scan_with::others, at, how.segments);
}

} // namespace tutti
