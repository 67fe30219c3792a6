// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/binary_blocks_phase.hpp>

namespace tutti {

/// Reduce in power-of-two blocks of ranks: the reduce-scatter phase, then a binary tree gathers in the
/// largest block. A root outside that block plays the role of rank 0 in the gather: rank 0 sends it its
/// block, in the first round of the gather, and is done. So no result travels to rank 0 first.
///
/// Rounds: 2 floor(lg p), and 1 more if p is not a power of two.
/// Volume, with p' = 2^floor(lg p) blocks: the busiest rank sends p' - 1 + p'/2, folds p' (p' - 1 if p is a
/// power of two). A rank of a smaller block has up to 2^delta_expo_max messages in one round. Order: kept,
/// for any root. Restrictions: none. For a power of two the same as halving_doubling. Source: Rabenseifner
/// and Adamidis 2004, section 3.6.
class reduce_binary_blocks {
public:
    constexpr explicit reduce_binary_blocks(place at) : at_(at), scatter_(at) {}

    constexpr round_index rounds() const noexcept { return scatter_.rounds() + levels(); }
    constexpr block_index blocks() const noexcept { return scatter_.blocks(); }

    constexpr capabilities claims() const noexcept {
        capabilities stated = scatter_.claims();
        stated.rounds = rounds();
        // Next to the root's number: all it folded but one block, then half the result.
        stated.sent_blocks = at_.size == 1 ? 0 : blocks() - 1 + blocks() / 2;
        return stated;
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i < scatter_.rounds()) return scatter_.emit(i, sink);

        const auto largest = static_cast<rank_type>(blocks());
        const bool outside = at_.root >= largest;
        // Example with 5 ranks, root 4: rank 0 sends its block to 4, which takes part as number 0 from then
        // on.
        if (outside && i == scatter_.rounds()) {
            if (at_.rank == 0) sink(step::send(at_.root, halving_range(0, levels(), blocks())));
            if (at_.rank == at_.root) sink(step::recv(0, halving_range(0, levels(), blocks())));
        }
        const auto rank_of = [&](rank_type number) { return outside && number == 0 ? at_.root : number; };
        const bool plays_zero = outside && at_.rank == at_.root;
        if (plays_zero || (at_.rank < largest && !(outside && at_.rank == 0)))
            detail::gather(plays_zero ? 0 : at_.rank, outside ? 0 : at_.root,
                           static_cast<int>(rounds() - 1 - i), blocks(), rank_of, sink);
    }

private:
    constexpr int levels() const noexcept { return floor_log2(at_.size); }

    place at_;
    binary_blocks_phase scatter_;
};

constexpr auto generate(collective_constant<collective::reduce>, const binary_blocks&, place at) {
    return reduce_binary_blocks(at);
}

} // namespace tutti
