// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/even_groups.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather round a ring of g = ceil(p/k) groups of k ranks. In g phases a group has the blocks of itself,
/// of the group before, of the one before that, ...: its ranks have one each, pass them on round a ring of
/// their own, and when all have all of them send them on, one each, to the next group. So only one round in k
/// goes between groups, where a ring has a message on that way in every round.
///
/// If g does not divide p, s = floor(p/g) or s + 1 ranks are in a group, the larger ones first. Of blocks
/// that are one more than the ranks of a group its last rank takes two, of those that are one less none.
///
/// Rounds: g ceil(p/g) - 1, which is p - 1 if g divides p. Volume: every rank receives p - 1 blocks and then
/// sends as many, too; else the one next to last in the last of the larger groups, from which a group of one
/// rank less gets all, sends p - 1 + g. Order: nothing is folded. Restrictions: none; k >= 1. 1, p or more
/// are the ring. Source: Wilkins, Guo, Thakur, Dinda and Hardavellas 2023 ("Generalized collective algorithms
/// for the exascale era", k-ring); uneven groups are ours.
class allgather_kring {
public:
    constexpr allgather_kring(place at, rank_type k)
        : groups_(checked(at).size, std::min(checked_k(k), at.size)), size_(at.size),
          group_(groups_.group_of(at.rank)), member_(at.rank - groups_.first(group_)) {}

    constexpr round_index rounds() const noexcept {
        return round_index{groups_.count()} * groups_.largest() - 1;
    }
    constexpr block_index blocks() const noexcept { return size_; }

    /// No bounded_from: if g does not divide p, one rank sends two blocks in a round in which another
    /// receives two, and by the next round these are others. A rank that did both in every round would be
    /// later than all are by up to two thirds (measured: k = 3, 701 ranks, long blocks). Example with 5
    /// ranks, k = 2: in round 3 rank 2 sends blocks 0 and 1 to rank 4, which sends 2 to rank 0 and 3 to rank
    /// 1: nobody sends two in one message and one in another.
    constexpr capabilities claims() const noexcept {
        const bool even = groups_.larger() == 0;
        // The last rank, if it is in a smaller group, sends to the two last ranks of the first group.
        const bool two_at_once = groups_.larger() > 1;
        return moving_only({.max_outstanding = size_ == 1    ? 0
                                               : two_at_once ? 3
                                                             : 2,
                            .rounds = rounds(),
                            .sent_blocks = size_ - 1 + (even ? 0 : groups_.count()),
                            .uniform_rounds = even ? rounds() : groups_.largest() - 2});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const auto phase = static_cast<rank_type>(i / groups_.largest());
        const auto turn = static_cast<rank_type>(i % groups_.largest());
        const rank_type whose = behind(group_, phase, groups_.count());
        if (turn + 1 < groups_.largest())
            around(whose, turn, sink);
        else
            onwards(whose, sink);
    }

private:
    static constexpr rank_type checked_k(rank_type k) {
        if (k < 1) detail::throw_argument("k", k, "at least 1");
        return k;
    }

    /// What `member` of a group of so many ranks has first of the blocks of group `whose`.
    /// Example with 5 ranks, k = 2: of 0 and 1, rank 4 has both; of 4, rank 0 has it and rank 1 nothing.
    constexpr block_set share(rank_type whose, rank_type member, rank_type members) const noexcept {
        const bool last = member == members - 1;
        return {.first = groups_.first(whose) + member, .count = last ? groups_.size(whose) - member : 1};
    }

    template <class Sink>
    static constexpr void unless_empty(const step& message, Sink& sink) {
        if (message.blocks.count > 0) sink(message);
    }

    /// Example with 5 ranks, k = 3: in round 1 rank 0 sends block 2 to rank 1 and receives block 1 from rank
    /// 2.
    template <class Sink>
    constexpr void around(rank_type whose, rank_type turn, Sink& sink) const {
        const rank_type members = groups_.size(group_);
        if (turn + 1 >= members) return;
        const rank_type first = groups_.first(group_);
        const rank_type from = behind(member_, 1, members);
        unless_empty(step::send(first + ahead(member_, 1, members),
                                share(whose, behind(member_, turn, members), members)),
                     sink);
        unless_empty(step::recv(first + from, share(whose, behind(from, turn, members), members)), sink);
    }

    /// Example with 5 ranks, k = 2: in round 1 rank 2 sends blocks 2 and 3 to rank 4, and receives block 0
    /// from rank 0; rank 3 only receives block 1 from rank 1. In round 3 rank 4 sends 2 to 0 and 3 to 1.
    template <class Sink>
    constexpr void onwards(rank_type whose, Sink& sink) const {
        const rank_type members = groups_.size(group_);
        const rank_type next = ahead(group_, 1, groups_.count());
        const rank_type receivers = groups_.size(next);
        const auto pass = [&](rank_type to) {
            unless_empty(step::send(groups_.first(next) + to, share(whose, to, receivers)), sink);
        };
        if (member_ < receivers) pass(member_);
        if (member_ + 1 == members && members < receivers) pass(members);
        const rank_type before = behind(group_, 1, groups_.count());
        const rank_type from = std::min(member_, groups_.size(before) - 1);
        unless_empty(step::recv(groups_.first(before) + from,
                                share(behind(whose, 1, groups_.count()), member_, members)),
                     sink);
    }

    even_groups groups_;
    rank_type size_;
    rank_type group_;
    rank_type member_; // which rank of its group
};

static_assert(generator<allgather_kring>);

constexpr auto generate(collective_constant<collective::allgather>, const kring& how, place at) {
    return allgather_kring(at, how.k);
}

} // namespace tutti
