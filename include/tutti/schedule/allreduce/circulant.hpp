// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>

namespace tutti {

/// Allreduce on the circulant graph: the reduce-scatter, then the same backwards as allgather.
///
/// Rounds: 2 ceil(lg p), more if messages are bounded or skips listed: see the reduce-scatter. Volume: every
/// rank sends 2 (p - 1) of p blocks and folds p - 1: the least possible, for every p. Order: needs a
/// commutative operation; same bits on all ranks. Restrictions: none. Source: Träff 2024 (arXiv 2410.14234),
/// allreduce.
// No `sequence` of both, which would have the skips twice.
class allreduce_circulant {
public:
    constexpr explicit allreduce_circulant(place at, const circulant& how = {}) : scatter_(at, how) {}

    constexpr round_index rounds() const noexcept { return 2 * scatter_.rounds(); }
    constexpr block_index blocks() const noexcept { return scatter_.blocks(); }

    constexpr capabilities claims() const noexcept {
        capabilities both = scatter_.claims();
        both.rounds = both.uniform_rounds = rounds();
        both.sent_blocks *= 2;
        return both;
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (i < scatter_.rounds())
            scatter_.emit(i, sink);
        else
            scatter_.emit_backwards(rounds() - 1 - i, sink);
    }

private:
    reduce_scatter_circulant scatter_;
};

constexpr auto generate(collective_constant<collective::allreduce>, const circulant& how, place at) {
    return allreduce_circulant(at, how);
}

} // namespace tutti
