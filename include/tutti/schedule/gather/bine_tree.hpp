// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast/bine_tree.hpp>

namespace tutti {

/// Gather up the Bine tree: the broadcast with time running backwards, in which a rank sends the blocks of
/// all that it would have served. These are one cyclic interval of ranks, hence one message of blocks that
/// never leave their places, over distances about two thirds as long as those of the binomial tree.
///
/// Rounds: ceil(lg p). Volume: the root receives p - 1 of p blocks; of the others, whom it hears last sends
/// most: p/2 blocks for powers of two, else those of p'/2 numbers, of which some stand for pairs.
/// Order: nothing is folded. Restrictions: none.
/// Source: De Sensi et al. 2025 (arXiv 2508.17311); any number of ranks as in bcast/bine_tree.hpp.
class gather_bine_tree {
public:
    constexpr explicit gather_bine_tree(place at) : down_(at), rank_(at.rank), size_(at.size) {}

    constexpr round_index rounds() const noexcept { return down_.rounds(); }
    constexpr block_index blocks() const noexcept { return size_; }

    constexpr capabilities claims() const noexcept {
        return moving_only(
            {.max_outstanding = size_ == 1 ? 0 : 1,
             .rounds = rounds(),
             .sent_blocks = size_ == 1 ? 0 : down_.reached_by(down_.first_reached(), 0).count});
    }

    /// Example with 5 ranks, root 0: 1 sends block 1 to 0; then 2 block 2 to 0 and 3 block 3 to 4; then 4
    /// blocks 3, 4 to 0.
    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const round_index down = rounds() - 1 - i;
        down_.emit(down, [&](const step& s) {
            if (s.kind == step_kind::send)
                sink(step::recv(s.peer, down_.reached_by(s.peer, down)));
            else
                sink(step::send(s.peer, down_.reached_by(rank_, down)));
        });
    }

private:
    bcast_bine_tree down_;
    rank_type rank_;
    rank_type size_;
};

constexpr auto generate(collective_constant<collective::gather>, const bine_tree&, place at) {
    return gather_bine_tree(at);
}

} // namespace tutti
