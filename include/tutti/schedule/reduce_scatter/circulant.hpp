// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Reduce-scatter on the circulant graph with halving skips. Before the round with skips s' and s =
/// ceil(s'/2) a rank r is still responsible for partial results of the s' blocks r .. r+s'-1; it sends those
/// from r+s on to rank r+s. Cyclic ranges take the place of the rotated copy of the vector that the paper
/// works on.
///
/// If messages have at most m blocks, skips fall by at most m: s = max(ceil(s'/2), s' - m). The caller may
/// list skips of his own, none of them less than half of the one before.
///
/// Rounds: as many as there are skips behind the first: ceil(lg p), or about p/m - 2 + ceil(lg 2m) if m <
/// floor(p/2). Volume: every rank sends p - 1 of p blocks and folds p - 1. Without a bound or a list both are
/// the least possible, for every p. Order: needs a commutative operation. Restrictions: none. Source: Träff
/// 2024 (arXiv 2410.14234), reduce-scatter, for any skips that fall to no less than half; the rule with m is
/// ours.
class reduce_scatter_circulant {
public:
    constexpr explicit reduce_scatter_circulant(place at, const circulant& how = {})
        : at_(checked(at)), skips_(at.size, how.message_blocks, how.skips) {}

    constexpr round_index rounds() const noexcept { return skips_.count(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return {.same_bits_on_all_ranks = true,
                .max_outstanding = at_.size == 1 ? 0 : 2,
                .rounds = rounds(),
                .sent_blocks = at_.size - 1,
                .reduced_blocks = at_.size - 1,
                .uniform_rounds = rounds()};
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        exchange(i, [&](const step& outgoing, const step& incoming) TUTTI_INLINE {
            sink(outgoing);
            sink(incoming);
        });
    }

    /// Round i with time running backwards: what was folded is handed out again. So the allgather begins with
    /// the last.
    template <class Sink>
    constexpr void emit_backwards(round_index i, Sink&& sink) const {
        exchange(i, [&](const step& outgoing, const step& incoming) TUTTI_INLINE {
            sink(step::send(incoming.peer, incoming.blocks));
            sink(step::recv(outgoing.peer, outgoing.blocks));
        });
    }

private:
    template <class F>
    constexpr void exchange(round_index i, const F& f) const {
        // Example with 5 ranks, round 0: skips 5 and 3: rank 4 sends blocks 2,3 to rank 2 and folds blocks
        // 4,0 from rank 1.
        const int k = static_cast<int>(i);
        const rank_type skip = skips_[k + 1];
        const rank_type count = skips_[k] - skip;
        const rank_type to = ahead(at_.rank, skip, at_.size);
        const rank_type from = behind(at_.rank, skip, at_.size);
        f(step::send(to, {.first = to, .count = count}),
          step::recv_reduce(from, {.first = at_.rank, .count = count}, operand_side::right));
    }

    place at_;
    circulant_skips skips_;
};

constexpr auto generate(collective_constant<collective::reduce_scatter>, const circulant& how, place at) {
    return reduce_scatter_circulant(at, how);
}

} // namespace tutti
