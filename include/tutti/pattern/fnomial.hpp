// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/pattern/tree.hpp>

namespace tutti {

/// The f-nomial (= k-nomial) tree for any radix f and any number of ranks: in each phase of the reduction
/// every group of f neighbouring survivors is folded into its first one. Radix 2 is the binomial tree.
/// Moody, Fernandez, Petrini and Panda 2003, section 5.2 and appendix A; a root other than 0 by cyclic
/// renumbering, as there.
///
/// Phases count from the leaves, as in the paper; rounds count from the root, as in every tree here. A tree
/// that must keep pace with a taller one may be given more `phases` than it needs: in the last ones, which
/// are the first rounds, nobody has a child.
/// Example with 5 ranks, root 0, radix 2: the parents of 1, 2, 3, 4 are 0, 0, 2, 0. With radix 3 rank 0
/// visits 3 in round 0, then 2 and 1.
constexpr tree fnomial_tree(place at, rank_type radix, int phases = 0) {
    checked(at);
    if (radix < 2) detail::throw_argument("radix", radix, "at least 2");
    const rank_type relative = relative_rank(at.rank, at.root, at.size);
    const int needed = ceil_log(radix, at.size);
    tree_parts here{.at = at, .rounds = std::max(phases, needed), .before = relative, .radix = radix};
    if (relative != 0) {
        // Appendix A: in phase k survivors lie f^k apart; a rank whose digit k is not 0 is a child then, and
        // its parent is the survivor before it whose digit k is 0.
        int phase = 0;
        rank_type higher = relative; // the digits from `phase` on
        for (; higher % radix == 0; ++phase) higher /= radix;
        here.parent = static_cast<rank_type>(relative - higher % radix * power(radix, phase));
        here.parent_round = here.rounds - 1 - phase;
    }
    if (needed > 0) {
        // In all phases but the last the root has its full radix - 1 children. The paper's formula, section
        // 5.2: (f-1) floor(log_f P) + ceil(P / f^floor(log_f P)) - 1. Example with 5 ranks, radix 3: 2 + 1.
        const std::int64_t stride = power(radix, needed - 1);
        const std::int64_t in_last = (at.size - 1) / stride;
        here.most_children = static_cast<rank_type>(std::int64_t{needed - 1} * (radix - 1) + in_last);
        here.keeps_order = detail::cyclic_intervals_keep_order(at, in_last * stride);
    }
    // The binomial tree of rank 0; and of the rank in the middle, where subtrees end at the same places.
    const bool in_the_middle = at.size == 2 * at.root && floor_pow2(at.size) == at.size;
    here.canonical = radix == 2 && (at.root == 0 || in_the_middle);
    return tree(here);
}

} // namespace tutti
