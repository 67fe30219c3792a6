// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

/// All-to-all on the circulant graph with halving skips: the reduce-scatter with bundles in place of sums. A
/// block has a distance d = receiver - sender to go; before the round with skips s' and s >= s'/2 less
/// than s' is left, and the blocks with s or more left move s ranks on.
///
/// No rotation before or after: the block of distance d lies in the caller's input, at (r + d), until it
/// first moves, and from then on in slot (r - d) of the result of the rank r that has it, which is the right
/// slot when it arrives. A slot may be sent and received in the same round.
///
/// Rounds: q = ceil(lg p), or as many as there are skips behind the first if the caller lists them; 1 for one
/// rank, which copies its block. Volume: every rank sends, for all d in 1..p-1, as many blocks as there are
/// skips on d's way: without a list about p/2 lg p, never more than Bruck's with radix 2 where p <= 200, and
/// less unless p is near a power of two. Then a message has p/2 blocks at most, in the k-th round less than
/// 2^k pieces.
/// Order: nothing is folded. Restrictions: blocks of one length.
/// Source: Träff 2024 (arXiv 2410.14234), all-to-all.
class alltoall_circulant {
public:
    constexpr explicit alltoall_circulant(place at, const circulant& how = {})
        : at_(checked(at)), skips_(at.size, 0, how.skips) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 1 : skips_.count(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.moves_blocks = at_.size > 1,
                            .reads_input = at_.size > 2,
                            .max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = all_moves(),
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (at_.size > 1) {
            // Example with 5 ranks, skips 3, 2, 1: rank 0 sends distances 3,4 to rank 3, then distance 2 to
            // rank 2, then distance 1 and what is left of 4, 1, to rank 1.
            const int k = static_cast<int>(i);
            const rank_type skip = skips_[k + 1];
            const rank_type count = skips_[k] - skip;
            const rank_type to = ahead(at_.rank, skip, at_.size);
            const rank_type from = behind(at_.rank, skip, at_.size);
            message(k, step::send(to, {.first = to, .count = count}, buffer_name::input), step::send(to, {}),
                    sink);
            message(k, step::recv(from, {.first = from, .count = count, .run = 1, .stride = -1}),
                    step::recv(from, {}), sink);
        }
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
    }

private:
    /// The blocks that move for the first time, then the others, by slots.
    template <class Sink>
    constexpr void message(int k, const step& fresh, step piece, Sink& sink) const {
        detail::one_message all(sink);
        all.add(fresh);
        for_each_way(k, 0, 0, at_.size, [&](rank_type gone, rank_type longest) {
            const rank_type skip = skips_[k + 1];
            // Slots ascend as distances descend, from gone + longest to gone + skip.
            piece.blocks = {.first = behind(at_.rank, gone + longest, at_.size), .count = longest - skip + 1};
            all.add(piece);
        });
        all.end();
    }

    /// Calls f(gone, longest) for every way of `gone` > 0 ranks that blocks have gone before round k, if some
    /// of them move again: those that have any number up to `longest` still to go, skip k or more among them.
    /// They are split by the skips of the rounds from `round` on, of which a block takes those that it can.
    /// Example with 5 ranks, k = 2: gone 3 and longest 1, of distance 4; what went 2 has nothing left.
    template <class F>
    constexpr void for_each_way(int k, int round, rank_type gone, rank_type below, const F& f) const {
        if (below <= skips_[k + 1]) return;
        if (round == k) {
            if (gone > 0) f(gone, below - 1);
            return;
        }
        const rank_type skip = skips_[round + 1];
        for_each_way(k, round + 1, gone, below < skip ? below : skip, f);
        if (below > skip) for_each_way(k, round + 1, gone + skip, below - skip, f);
    }

    /// How many moves the distances 0 .. p - 1 make in all. Of those below a skip s' the ones from the
    /// next skip s on move once, and are then as those below s' - s.
    /// Example with 5 ranks: 1, 1, 1 and 2, of distances 1 to 4.
    constexpr block_index all_moves() const noexcept {
        // Of the distances below skip k, in rounds k, k + 1, ... No list that is followed by halves is
        // longer.
        block_index below_skip[skip_list::most + 32] = {};
        const int q = skips_.count();
        for (int k = q - 1; k >= 0; --k) {
            rank_type below = skips_[k];
            for (int round = k; round < q; ++round) {
                const rank_type skip = skips_[round + 1];
                if (below <= skip) continue;
                below -= skip;
                below_skip[k] += below + below_skip[round + 1];
            }
        }
        return below_skip[0];
    }

    place at_;
    circulant_skips skips_;
};

static_assert(generator<alltoall_circulant>);

constexpr auto generate(collective_constant<collective::alltoall>, const circulant& how, place at) {
    return alltoall_circulant(at, how);
}

} // namespace tutti
