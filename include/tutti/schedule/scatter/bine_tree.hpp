// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/gather/bine_tree.hpp>
#include <tutti/schedule/scatter/reversed_gather.hpp>

namespace tutti {

/// Scatter down the Bine tree: the gather backwards, near ranks on their way to each other last.
///
/// Rounds: ceil(lg p). Volume: the root sends p - 1 of p blocks, the least.
/// Order: nothing is folded. Restrictions: none.
/// Example with 5 ranks, root 0: blocks 3, 4 to rank 4; then 2 to 2, and 3 from 4 to 3; then 1 to 1.
/// Source: see gather/bine_tree.hpp.
constexpr auto generate(collective_constant<collective::scatter>, const bine_tree& how, place at) {
    return reversed_gather(generate(of<collective::gather>, how, at), at);
}

} // namespace tutti
