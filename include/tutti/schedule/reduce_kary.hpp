// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/kary.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_tree.hpp>

namespace tutti {

/// Reduction up the complete tree with k children per rank, in S segments.
/// Rounds: the levels of the tree, about log_k p, + S - 1.
/// Volume: the root folds min(k, p - 1) vectors.
/// Order: not kept, except in a line (k = 1, root 0 or p-1) and under one level (p - 1 <= k, root 0 or 1).
/// Any size, any root, any k >= 1 and S >= 1.
/// Source: the shape of elan_reduce's 4-ary tree in Moody, Fernandez, Petrini and Panda 2003, section 6.1.
constexpr auto generate(collective_constant<collective::reduce>, const kary& how, place at) {
    return reduce_over(kary_tree(at, how.arity), how.segments, at.rank);
}

} // namespace tutti
