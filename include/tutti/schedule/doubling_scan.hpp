// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>

namespace tutti {

/// Scan or exscan in which ranks at distance 1, 2, 4, ... exchange the folds of their groups of as many
/// ranks: the upper one folds what it gets into its result and into its group's, the lower one into its
/// group's, as far as anybody further up needs that. In the group of 2^i ranks around it, before round i,
/// rank r has the fold of those up to itself, or before itself: so its result is folded along the tree of
/// capabilities::canonical_tree over the ranks that it is of, whatever the number of ranks behind them.
///
/// Rounds: ceil(lg p). Volume: rank 0 sends one vector (one block) in every round. With p' = 2^floor(lg p)
/// and p >= 3 the busiest rank folds 2 lg p' - 1 in a scan if p >= 3/2 p', else one less; in an exscan one
/// less than that, but at least floor(lg(p - 1)), as rank 0 does. Order: kept, along the canonical tree.
/// Restrictions: none. Rank 0's result of an exscan stays undefined. A block of scratch with 3 ranks or more,
/// and a second one with 4, or 8 for an exscan.
///
/// Along this tree no two ranks share a fold of their results but those in groups, so that a rank folds as
/// many vectors as its number has ones: less than lg p / 2 on average no algorithm can fold, however long
/// vectors are. Source: the scan of hypercubes (Hillis and Steele 1986 have it without groups), as in MPICH.
template <collective C>
    requires(scans(C))
class doubling_scan {
public:
    constexpr explicit doubling_scan(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        const rank_type p = at_.size;
        const block_index planes = p < 3 ? 0 : p < (inclusive ? 4 : 8) ? 1 : 2;
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = true,
                .scratch_blocks = planes,
                .max_outstanding = std::min(p - 1, 2),
                .rounds = rounds(),
                .sent_blocks = rounds(),
                .reduced_blocks = most_folds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const rank_type reach = rank_type{1} << i;
        const bool upper = (at_.rank & reach) != 0;
        const rank_type peer = at_.rank ^ reach;
        // Example with 5 ranks: in round 1 ranks 0 and 2 exchange the folds of 0,1 and 2,3, as rank 4 gets
        // that of 0..3; rank 1 sends that of 0,1 to rank 3, which nobody needs anything of.
        if (upper ? has_above(i) : peer < at_.size) sink(step::send(peer, whole, group(i)));
        const bool goes_on = has_above(i + 1); // the fold of the next larger group is needed
        if (i == 0 && goes_on) sink(step::copy(whole, own, buffer_name::scratch));
        if (!upper) {
            if (goes_on) sink(step::recv_reduce(peer, whole, operand_side::right, buffer_name::scratch));
        } else if (!inclusive && (at_.rank & (reach - 1)) == 0) { // the first that it has of others
            sink(step::recv(peer, whole));
            if (goes_on) sink(into_group(buffer_name::work));
        } else if (goes_on) {
            sink(step::recv(peer, whole, buffer_name::scratch_1));
            sink(step::reduce(whole, buffer_name::scratch_1, buffer_name::work, operand_side::left));
            sink(into_group(buffer_name::scratch_1));
        } else {
            sink(step::recv_reduce(peer, whole, operand_side::left));
        }
    }

private:
    static constexpr bool inclusive = C == collective::scan;
    static constexpr buffer_name own = inclusive ? buffer_name::work : buffer_name::input;
    static constexpr block_set whole{.first = 0, .count = 1};

    /// Whether there is a rank 2^i ranks up: then somebody needs the fold of this one's group of 2^i.
    /// Example with 5 ranks: rank 1 has one 1 and 2 ranks up, none 4 ranks up.
    constexpr bool has_above(round_index i) const noexcept {
        return (std::int64_t{1} << i) < at_.size - at_.rank;
    }
    /// Where that fold lies.
    static constexpr buffer_name group(round_index i) noexcept { return i == 0 ? own : buffer_name::scratch; }

    static constexpr step into_group(buffer_name from) noexcept {
        return step::reduce(whole, from, buffer_name::scratch, operand_side::left);
    }

    /// A rank folds once for every 1 of its number, of an exscan but the first, and once for every i >= 1
    /// with a rank 2^i up.
    constexpr block_index most_folds() const noexcept {
        const rank_type p = at_.size;
        if (p < 3) return inclusive ? p - 1 : 0;
        const int levels = floor_log2(p);
        const block_index most = 2 * levels - (p >= 3 * (std::int64_t{1} << levels) / 2 ? 1 : 2);
        return inclusive ? std::max<block_index>(most, 1)
                         : std::max<block_index>(most - 1, floor_log2(p - 1));
    }

    place at_;
};

} // namespace tutti
