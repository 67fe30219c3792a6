// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// Every other rank is a child of the root, served in one round: the shape of Moody's *serial* reduction
/// (Moody, Fernandez, Petrini and Panda 2003, section 4.1). In an order that, reversed, keeps the order of
/// ranks for any root: the ranks below the root are folded first, going down, each on the left; then those
/// above it, going up, each on the right.
/// Example with 5 ranks, root 2: visits 4, 3, 0, 1; the reversed flow folds 1, 0, 3, 4.
constexpr tree flat_tree(place at) {
    const rank_type others = checked(at).size - 1;
    tree_parts here{
        .at = at, .rounds = others > 0 ? 1 : 0, .most_children = others, .most_in_two_rounds = others};
    if (at.rank == at.root) {
        here.falling = others - at.root;      // the relative ranks 1, 2 are 3, 4
        here.rising_from = at.size - at.root; // the relative ranks 3, 4 are 0, 1
        here.rising = at.root;
    } else {
        here.parent = 0;
        here.parent_round = 0;
    }
    return tree(here);
}

} // namespace tutti
