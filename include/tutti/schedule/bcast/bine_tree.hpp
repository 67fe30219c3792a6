// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/pattern/swing.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Broadcast down the Bine tree: as down the binomial tree all ranks that have the vector send it on in every
/// round, but over distances that alternate in direction, ..., 11, -5, 3, -1, 1, the farthest first. They are
/// about two thirds of powers of two: fewer messages leave a group of near ranks.
///
/// If p is not a power of two, of the first pairs one rank, never the root, gets the vector from the other
/// one last.
///
/// Rounds: ceil(lg p). Volume: the root sends floor(lg p) vectors (one block each), one more if it is of a
/// pair. Restrictions: none.
/// Source: De Sensi et al. 2025 (arXiv 2508.17311), Bine trees (distance halving) for powers of two; other
/// sizes are brought down to one as in Rabenseifner and Adamidis 2004, section 3.5.
class bcast_bine_tree {
public:
    constexpr explicit bcast_bine_tree(place at) : at_(checked(at)), group_(at.size, at.root) {}

    constexpr round_index rounds() const noexcept { return group_.levels() + (group_.extra() > 0 ? 1 : 0); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 1,
                            .rounds = rounds(),
                            .sent_blocks = group_.levels() + (group_.paired(at_.root) ? 1 : 0)});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        constexpr block_set all{.first = 0, .count = 1};
        if (i == group_.levels()) {
            // Example with 5 ranks, root 1: 1 sends to 0.
            if (!group_.paired(at_.rank)) return;
            const rank_type partner = at_.rank ^ 1;
            return sink(group_.removed(at_.rank) ? step::recv(partner, all) : step::send(partner, all));
        }
        if (group_.removed(at_.rank)) return;
        // Example with 5 ranks, root 0: 0,2,3,4 are numbered 0,1,2,3. 0 sends to 4, then 0 to 2 and 4 to 3.
        const int s = group_.levels() - 1 - static_cast<int>(i);
        const rank_type relative = counted_from_root(group_.number(at_.rank));
        const rank_type partner = swing_partner(relative, s, group_.levels());
        if (has(relative, s)) return sink(step::send(rank_of(partner), all));
        if (has(partner, s)) sink(step::recv(rank_of(partner), all));
    }

    /// Whether the reversed flow only ever joins neighbouring intervals of ranks. Before the farthest
    /// exchange the root has folded an interval of half the ranks, 2 + 8 + ... of them below it; the other
    /// half is one, too, only if that is the lower or the upper half of all. Example with 5 ranks: of roots 0
    /// and 1 (numbers 0,1) and of 3 (numbers 2,3).
    constexpr bool keeps_order() const noexcept {
        if (group_.levels() < 2) return true;
        const rank_type first = group_.number(at_.root) + swing_interval(0, group_.levels() - 1);
        return first == 0 || first == group_.power() / 2;
    }

    /// The ranks that get the vector by way of `rank`, itself one of them, after the round i in which that
    /// got it: a cyclic interval.
    /// Example with 5 ranks, root 0: by way of 4, which gets it in round 0, 3 and 4; of 2 (round 1) itself.
    constexpr block_set reached_by(rank_type rank, round_index i) const noexcept {
        if (i == group_.levels()) return {.first = rank, .count = 1};
        const int s = group_.levels() - 1 - static_cast<int>(i);
        const rank_type power = group_.power();
        const rank_type relative = swing_interval(counted_from_root(group_.number(rank)), s);
        const rank_type first = (relative + group_.number(at_.root)) & (power - 1);
        const rank_type behind = first + (rank_type{1} << s);
        return {.first = ranks_below(first),
                .count = behind <= power ? ranks_below(behind) - ranks_below(first)
                                         : at_.size - ranks_below(first) + ranks_below(behind - power)};
    }
    /// Who gets the vector for most others: whom the root meets first; with one rank, itself.
    constexpr rank_type first_reached() const noexcept {
        return group_.levels() == 0 ? at_.root
                                    : rank_of(swing_partner(0, group_.levels() - 1, group_.levels()));
    }

private:
    /// How many ranks are of lower numbers.  Example with 5 ranks: of lower ones than 1 are ranks 0 and 1.
    constexpr rank_type ranks_below(rank_type number) const noexcept {
        return number + std::min(number, group_.extra());
    }

    /// Whether it has the vector before exchange s: whether the root has met it, see pattern/swing.hpp.
    /// Example with 5 ranks (of which 4 take part): before s = 0 numbers 0 and 3 have it.
    constexpr bool has(rank_type relative, int s) const noexcept {
        if (relative == 0 || s == group_.levels() - 1) return relative == 0;
        const rank_type in_class = relative & static_cast<rank_type>((std::int64_t{1} << (s + 2)) - 1);
        return in_class == 0 || in_class == swing_partner(0, s + 1, s + 2);
    }

    /// The numbers counted cyclically from the root's.
    /// Example with 5 ranks, root 3: number 2 is the root's; number 0 is 2 behind it.
    constexpr rank_type counted_from_root(rank_type number) const noexcept {
        return (number - group_.number(at_.root)) & (group_.power() - 1);
    }
    constexpr rank_type rank_of(rank_type relative) const noexcept {
        const std::int64_t number = std::int64_t{relative} + group_.number(at_.root);
        return group_.rank_of(static_cast<rank_type>(number & (group_.power() - 1)));
    }

    place at_;
    survivors group_;
};

constexpr auto generate(collective_constant<collective::bcast>, const bine_tree&, place at) {
    return bcast_bine_tree(at);
}

} // namespace tutti
