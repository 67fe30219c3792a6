// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/flat.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_tree.hpp>

namespace tutti {

/// Reduction in which the root receives and folds everybody's vector in one round.
/// Rounds: 1.
/// Volume: the root folds p - 1 vectors, T = L + (p-1)(r+c).
/// Order: kept for any root.
/// Any size.
/// Source: Moody, Fernandez, Petrini and Panda 2003, sections 4.1 and 5.1 ("serial reduction").
constexpr auto generate(collective_constant<collective::reduce>, const serial&, place at) {
    return reduce_over(flat_tree(at), 1, at.rank);
}

} // namespace tutti
