// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/step.hpp>
#include <tutti/pattern/halving.hpp>
#include <tutti/pattern/survivors.hpp>

/// The rounds that halving_doubling and binary_blocks are made of. `number` is a rank within the group of
/// 2^levels ranks, `rank_of` maps such numbers to ranks and grows with its argument.
namespace tutti::detail {

/// Exchange k of the reduce-scatter: both partners send the half the other one keeps and fold the half they
/// keep.
template <class Map, class Sink>
constexpr void halve(rank_type number, int k, block_index blocks, const Map& rank_of, Sink& sink) {
    const rank_type partner = halving_partner(number, k);
    const block_set kept = halving_range(number, k + 1, blocks);
    sink(step::send(rank_of(partner), other_half(kept)));
    sink(step::recv_reduce(rank_of(partner), kept, side_of(partner, number)));
}

/// The same, the fold first: what the way back, this backwards, asks for.
template <class Map, class Sink>
constexpr void halve_last_first(rank_type number, int k, block_index blocks, const Map& rank_of, Sink& sink) {
    const rank_type partner = halving_partner(number, k);
    const block_set kept = halving_range(number, k + 1, blocks);
    sink(step::recv_reduce(rank_of(partner), kept, side_of(partner, number)));
    sink(step::send(rank_of(partner), other_half(kept)));
}

/// Exchange k of the allgather, the contrary: both partners send the half they have.
template <class Map, class Sink>
constexpr void double_back(rank_type number, int k, block_index blocks, const Map& rank_of, Sink& sink) {
    const rank_type partner = halving_partner(number, k);
    const block_set held = halving_range(number, k + 1, blocks);
    sink(step::send(rank_of(partner), held));
    sink(step::recv(rank_of(partner), other_half(held)));
}

/// Exchange k of the gather to number `root`: as double_back, but data flow to the root only.
template <class Map, class Sink>
constexpr void gather(rank_type number, rank_type root, int k, block_index blocks, const Map& rank_of,
                      Sink& sink) {
    const rank_type partner = halving_partner(number, k);
    switch (halving_gather_role(number, root, k)) {
    case gather_role::sends: sink(step::send(rank_of(partner), halving_range(number, k + 1, blocks))); break;
    case gather_role::receives:
        sink(step::recv(rank_of(partner), halving_range(partner, k + 1, blocks)));
        break;
    case gather_role::idle: break;
    }
}

/// First round of removing ranks: the even rank of a pair folds the first half of the vector, the odd one the
/// second half. Example with 5 ranks: 0 and 1 exchange, 2..4 are idle.
template <class Sink>
constexpr void fold_halves(const survivors& group, rank_type rank, block_index blocks, Sink& sink) {
    if (group.paired(rank))
        halve(
            rank, 0, blocks, [](rank_type same) { return same; }, sink);
}

/// Second round of removing ranks: the removed one hands its folded half to the one that stays.
/// Example with 5 ranks: 1 sends the second half to 0.
template <class Sink>
constexpr void hand_over(const survivors& group, rank_type rank, block_index blocks, Sink& sink) {
    if (!group.paired(rank)) return;
    const rank_type partner = rank ^ 1;
    if (group.removed(rank))
        sink(step::send(partner, halving_range(rank, 1, blocks)));
    else
        sink(step::recv(partner, halving_range(partner, 1, blocks)));
}

/// Instead, of an exchange of whole vectors: the removed one gives its vector to the one that stays.
/// Example with 5 ranks: 0 folds what 1 has on the right.
template <class Sink>
constexpr void give_vector(const survivors& group, rank_type rank, Sink& sink) {
    constexpr block_set whole{.first = 0, .count = 1};
    if (!group.paired(rank)) return;
    const rank_type partner = rank ^ 1;
    sink(group.removed(rank) ? step::send(partner, whole)
                             : step::recv_reduce(partner, whole, side_of(partner, rank)));
}

/// ... and gets the result in the end, all blocks of it.  Example with 5 ranks: 0 sends everything to 1.
template <class Sink>
constexpr void give_result(const survivors& group, rank_type rank, block_index blocks, Sink& sink) {
    const block_set all{.first = 0, .count = blocks};
    if (group.paired(rank)) sink(group.removed(rank) ? step::recv(rank ^ 1, all) : step::send(rank ^ 1, all));
}

/// Of an allgather: the removed one gives its block to the one that stays, where the odd one is removed.
/// Example with 5 ranks: 1 sends its block to 0.
template <class Sink>
constexpr void give_own_block(const survivors& group, rank_type rank, Sink& sink) {
    if (!group.paired(rank)) return;
    const rank_type removed = rank | 1;
    const block_set own{.first = removed, .count = 1};
    sink(rank == removed ? step::send(rank ^ 1, own) : step::recv(removed, own));
}

/// ... and gets all the others in the end.  Example with 5 ranks: 0 sends 2,3,4,0 to 1.
template <class Sink>
constexpr void give_other_blocks(const survivors& group, rank_type rank, rank_type size, Sink& sink) {
    if (!group.paired(rank)) return;
    const rank_type removed = rank | 1;
    const block_set others{.first = removed + 1, .count = size - 1}; // pairs end before the last rank
    sink(rank == removed ? step::recv(rank ^ 1, others) : step::send(removed, others));
}

} // namespace tutti::detail
