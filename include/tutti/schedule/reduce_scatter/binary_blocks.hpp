// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/step.hpp>
#include <tutti/pattern/binary_blocks.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Reduce-scatter in power-of-two blocks of ranks, here called groups, along the tree of
/// capabilities::canonical_tree for any number of ranks.
///
/// Before exchange j, at distance 2^j, number y of a group has what its group's ranks have folded of the
/// blocks that are y modulo 2^j; partners send each other every second of them. A group of 2^e ranks is ready
/// after e exchanges; then it folds what the next smaller group has, and hands what it has to the next larger
/// one. In the end the largest group, of p' ranks, has the result, number y that of blocks y and p' + y, and
/// hands out the latter.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two. Volume: a rank sends p - 1 of p blocks if p is a
/// power of two, else p at most. Rank 0 folds most, p - 1 - h(p - 1) + floor(lg p) blocks, h being how many
/// ones a number has, and 2 more if p is not a power of two: at most p + lg p. A rank of a smaller
/// group has up to 2^delta_expo_max messages in one round. Order: kept, along the canonical tree.
/// Restrictions: none. For a power of two the same as distance_doubling.
/// Source: Rabenseifner and Adamidis 2004, section 3.6 and Fig. 3; blocks by number instead of by halves.
class reduce_scatter_binary_blocks {
public:
    constexpr explicit reduce_scatter_binary_blocks(place at)
        : at_(checked(at)), own_(block_of(at.rank, at.size)), largest_(block_of(0, at.size)) {}

    constexpr round_index rounds() const noexcept { return largest_.exponent + (uneven() ? 2 : 0); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        const std::int64_t messages = std::int64_t{1} << delta_expo_max(at_.size);
        const int ones = std::popcount(static_cast<std::uint32_t>(at_.size - 1));
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .canonical_tree = true,
                .max_outstanding = at_.size == 1  ? 0
                                   : messages < 2 ? 2
                                                  : messages,
                .rounds = rounds(),
                .sent_blocks = at_.size - (uneven() ? 0 : 1),
                .reduced_blocks = at_.size - 1 - ones + largest_.exponent + (uneven() ? 2 : 0),
                .uniform_rounds = // all have partners, and as many blocks for them
                uneven() ? std::countr_zero(static_cast<std::uint32_t>(at_.size)) : rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const rank_type number = at_.rank - own_.first;
        const auto e = static_cast<int>(i);
        if (i < own_.exponent) {
            const rank_type partner = number ^ (rank_type{1} << i);
            sink(step::send(own_.first + partner, alike(partner, e + 1)));
            sink(step::recv_reduce(own_.first + partner, alike(number, e + 1), side_of(partner, number)));
            return;
        }
        if (i > largest_.exponent) return hand_out(sink);
        if (i == own_.exponent && has_smaller(own_, at_.size)) {
            const rank_block from = smaller(own_, at_.size);
            sink(
                step::recv_reduce(from.first + number % from.ranks(), alike(number, e), operand_side::right));
        }
        if (!has_larger(own_)) return;
        const rank_block to = larger(own_, at_.size);
        if (i != to.exponent) return;
        // Example with 5 ranks: in round 2 rank 4, which has all blocks, sends 0,4 to 0, 1 to 1, 2 to 2 and 3
        // to 3.
        for (rank_type owner = number; owner < to.ranks(); owner += own_.ranks())
            sink(step::send(to.first + owner, alike(owner, e)));
    }

private:
    constexpr bool uneven() const noexcept { return has_smaller(largest_, at_.size); }

    /// The blocks that are `number` modulo 2^exponent.  Example with 5 ranks: 1 modulo 2 are 1,3; 0 are
    /// 0,2,4.
    constexpr block_set alike(rank_type number, int exponent) const noexcept {
        const std::int64_t apart = std::int64_t{1} << exponent;
        const std::int64_t first = number % apart;
        const block_index count = (at_.size - first + apart - 1) / apart;
        return count == 1
                   ? block_set{.first = first, .count = 1}
                   : block_set{
                       .first = first, .count = count, .run = 1, .stride = static_cast<std::int32_t>(apart)};
    }

    /// Example with 5 ranks: rank 0 sends block 4 to rank 4.
    template <class Sink>
    constexpr void hand_out(Sink& sink) const {
        const rank_type most = largest_.ranks();
        if (at_.rank >= most)
            sink(step::recv(at_.rank - most, {.first = at_.rank, .count = 1}));
        else if (at_.rank < at_.size - most)
            sink(step::send(at_.rank + most, {.first = at_.rank + most, .count = 1}));
    }

    place at_;
    rank_block own_;     // the group that this rank is in
    rank_block largest_; // the group of rank 0
};

constexpr auto generate(collective_constant<collective::reduce_scatter>, const binary_blocks&, place at) {
    return reduce_scatter_binary_blocks(at);
}

} // namespace tutti
