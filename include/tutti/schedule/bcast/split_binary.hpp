// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/two_tree.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/tree_flow.hpp>

namespace tutti {

namespace detail {

/// The ranks but the root in two groups of neighbours, counted from the root: 1 .. floor(p/2) and the others,
/// as many or one less. The root is number 0 of both. Example with 5 ranks, root 3: 3, 4, 0 and 3, 1, 2.
struct split_group {
    place at;
    bool second;

    constexpr rank_type half() const noexcept { return at.size / 2; }
    constexpr rank_type size() const noexcept { return 1 + (second ? at.size - 1 - half() : half()); }
    constexpr rank_type operator()(rank_type number) const noexcept {
        const rank_type relative = number > 0 && second ? half() + number : number;
        return absolute_rank(relative, at.root, at.size);
    }
    constexpr bool has(rank_type relative) const noexcept {
        return relative == 0 || second == (relative > half());
    }

    /// Down a binary tree below the root, in segments.
    constexpr auto bcast(block_index segments) const {
        const rank_type relative = relative_rank(at.rank, at.root, at.size);
        const bool member = has(relative);
        const rank_type number = !member ? 0 : relative > half() ? relative - half() : relative;
        const tree below = two_tree_half({.rank = number, .size = size()}, tree_half::first);
        return on_group(*this, tree_flow(tree_way::down, segments, below), member);
    }
};

/// Those that have the first half of the vector send it to those that have the second, and the other way
/// round, in one round. If the first have one more, that one gets the second half from the root.
class swap_halves {
public:
    constexpr explicit swap_halves(place at) : at_(at) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : 1; }
    constexpr block_index blocks() const noexcept { return 2; }
    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = std::min(at_.size - 1, 2),
                            .rounds = rounds(),
                            .sent_blocks = at_.size == 1 ? 0 : 1});
    }

    /// Example with 5 ranks, root 3: 4 and 1, and 0 and 2. With 4 ranks, root 0: 1 and 3; 0 sends to 2.
    template <class Sink>
    constexpr void emit(round_index, Sink&& sink) const {
        constexpr block_set halves[]{{.first = 0, .count = 1}, {.first = 1, .count = 1}};
        const rank_type own = relative_rank(at_.rank, at_.root, at_.size);
        const rank_type half = at_.size / 2;
        const bool second = own > half;
        const bool one_more = at_.size % 2 == 0; // in the first group
        const auto absolute = [&](rank_type relative) { return absolute_rank(relative, at_.root, at_.size); };
        if (own == 0) {
            if (one_more) sink(step::send(absolute(half), halves[1]));
        } else if (one_more && own == half) {
            sink(step::recv(at_.root, halves[1]));
        } else {
            const rank_type partner = absolute(second ? own - half : own + half);
            sink(step::send(partner, halves[second ? 1 : 0]));
            sink(step::recv(partner, halves[second ? 0 : 1]));
        }
    }

private:
    place at_;
};

} // namespace detail

/// Broadcast of the two halves of the vector, each in S segments, to half of the ranks each, down binary
/// trees below the root; then everybody swaps halves with one of the others. No rank has more than two
/// children, and the root one in each tree.
///
/// Rounds: floor(lg p) + S, the last of them with half the vector; 0 for one rank.
/// Volume: 3/2 of the vector from 4 ranks on, but with 5: of an inner rank half of it to each child and half
/// of it in the last round. Two trees (`two_tree`) send less, but a rank has two messages to receive in a
/// round. Order: nothing is folded. Any size, any root, any S >= 1. Example with 5 ranks, root 0, S = 1: 0
/// sends the first half to 2 and the second to 4, which send it on to 1 and 3; then 1 and 3, and 2 and 4,
/// swap. Source: Pješivac-Grbović et al. 2007 ("Performance analysis of MPI collective operations",
/// split-binary).
constexpr auto generate(collective_constant<collective::bcast>, const split_binary& how, place at) {
    checked(at);
    const auto first = detail::split_group{at, false}.bcast(how.segments);
    const auto second = detail::split_group{at, true}.bcast(how.segments);
    const detail::swap_halves last(at);
    const sequence all(side_by_side(first, second), last);
    // Busiest is the root, which is in both groups, has a child in each and helps out in the last round, or
    // who is in the larger group alone and has most children there.
    const capabilities tree = first.claims();
    const capabilities swap = last.claims();
    const block_index of_root = std::min(at.size - 1, 2) + (at.size % 2 == 0 ? 1 : 0);
    capabilities stated = all.claims();
    stated.max_outstanding = std::max(tree.max_outstanding, swap.max_outstanding);
    stated.sent_blocks = std::max(tree.sent_blocks + swap.sent_blocks * how.segments, of_root * how.segments);
    return claiming(all, stated);
}

} // namespace tutti
