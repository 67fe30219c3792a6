// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/canonical_halves.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allreduce of whole vectors along the one tree of capabilities::canonical_tree, in as few rounds as there
/// can be for any number of ranks. The first 2^k ranks double; meanwhile the others, fewer, do all of this
/// among themselves. As soon as they have their fold, round t, they give it to 2^t of the first ranks, who
/// hand it on: as many ranks more in every round up to round k, when the first ranks in turn give the others
/// what they have, all together.
///
/// Rounds: ceil(lg p), the lower bound, if a rank can send two messages in one, as it has to in some if p is
/// no power of two; recursive_doubling, whose pairs wait for each other, has one more then, and folds along
/// another tree.
/// Volume: lg p vectors (one block each) if p is a power of two; else the busiest rank sends less than
/// 2 ceil(lg p). It folds ceil(lg p).
/// Order: kept, along the canonical tree, so all have the same bits. Restrictions: none. One scratch block
/// where others have their fold before round k.
/// Source: here; in place of an allgather of all vectors that everybody folds (Open MPI, allgather_reduce),
/// which has as many rounds and sends p - 1 vectors.
class allreduce_canonical_doubling {
public:
    constexpr explicit allreduce_canonical_doubling(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        capabilities c{.order_preserving = true,
                       .same_bits_on_all_ranks = true,
                       .canonical_tree = true,
                       .max_outstanding = at_.size == 1 ? 0 : 2,
                       .rounds = rounds(),
                       .sent_blocks = 0,
                       .reduced_blocks = rounds()}; // rank 0
        // Of the ranks that double at one level the first one sends most.
        canonical_halves h(at_.size);
        for (; h.others() > 0; h = h.inner()) {
            c.sent_blocks = std::max(c.sent_blocks, sent_outside(h) + 2 * h.rounds() - h.ready() + 1);
            c.max_outstanding = 3;
            if (h.ready() < h.rounds()) c.scratch_blocks = 1;
        }
        c.sent_blocks = std::max(c.sent_blocks, sent_outside(h) + h.rounds());
        c.uniform_rounds = h.rounds(); // all double until the last ones have doubled
        return c;
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        canonical_halves h(at_.size);
        for (; !h.doubles(at_.rank); h = h.inner()) tell_and_hear(h, i, sink);
        if (i < h.rounds())
            double_once(h, i, sink);
        else if (i == h.rounds() && h.others() > 0)
            join(h, i, sink);
    }

private:
    static constexpr block_set all{.first = 0, .count = 1};

    /// One of the others at this level.
    /// Example with 5 ranks: rank 4 sends its vector to rank 0 in round 0, and gets the fold of 0..3 from it
    /// in round 2.
    template <class Sink>
    constexpr void tell_and_hear(const canonical_halves& h, round_index i, Sink& sink) const {
        if (i == h.ready()) h.for_each_told(at_.rank, [&](rank_type to) { sink(step::send(to, all)); });
        if (i == h.rounds()) sink(step::recv_reduce(h.partner_of(at_.rank), all, operand_side::left));
    }

    /// One of the first 2^k at this level, which double. What the others have lies in scratch meanwhile.
    /// Example with 5 ranks: rank 0 exchanges with 1, then with 2; it gets the vector of rank 4 in round 0,
    /// and passes it on to 1 in round 1.
    template <class Sink>
    constexpr void double_once(const canonical_halves& h, round_index i, Sink& sink) const {
        const rank_type peer = h.doubling_peer(at_.rank, i);
        sink(step::send(peer, all));
        pass_on(h, i, sink);
        sink(step::recv_reduce(peer, all, side_of(peer, at_.rank)));
        if (const rank_type from = h.told_by(at_.rank, i); from != no_rank)
            sink(step::recv(from, all, buffer_name::scratch));
    }

    /// The same in round k. All of them have it by then.
    /// Example with 5 ranks: rank 0 sends its fold to 4 and what 4 had to 2, which it then folds itself.
    template <class Sink>
    constexpr void join(const canonical_halves& h, round_index i, Sink& sink) const {
        if (h.has_partner(at_.rank)) sink(step::send(h.partner_of(at_.rank), all));
        pass_on(h, i, sink);
        if (const rank_type from = h.told_by(at_.rank, i); from != no_rank)
            sink(step::recv_reduce(from, all, operand_side::right));
        else
            sink(step::reduce(all, buffer_name::scratch, buffer_name::work, operand_side::right));
    }

    template <class Sink>
    constexpr void pass_on(const canonical_halves& h, round_index i, Sink& sink) const {
        if (const rank_type to = h.passes_to(at_.rank, i); to != no_rank)
            sink(step::send(to, all, buffer_name::scratch));
    }

    /// What the first rank of this level sends at those above.
    constexpr block_index sent_outside(const canonical_halves& level) const noexcept {
        block_index sent = 0;
        for (canonical_halves h(at_.size); h.base() != level.base(); h = h.inner())
            h.for_each_told(level.base(), [&](rank_type) { ++sent; });
        return sent;
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::allreduce>, const canonical_doubling&, place at) {
    return allreduce_canonical_doubling(at);
}

} // namespace tutti
