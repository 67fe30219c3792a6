// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/tree_scan.hpp>

namespace tutti {

/// Inclusive scan up and down the in-order binary tree, in S segments.
///
/// Rounds: 2 floor(lg p) + S - 1. Volume: a rank sends 3 vectors and folds 3, fewer with less than 13 ranks.
/// Order: kept. Restrictions: none. Source: Sanders, Speck and Träff 2009.
constexpr auto generate(collective_constant<collective::scan>, const binary_tree& how, place at) {
    return pipelined(tree_scan(scan_with::own, at), how.segments);
}

} // namespace tutti
