// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast/circulant_pipeline.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/reduce/circulant_pipeline.hpp>

namespace tutti {

/// Allreduce in S segments on the circulant graph: the reduction to rank 0, then the broadcast from there, of
/// which one schedule is kept for both.
///
/// Rounds: 2 (ceil(lg p) + S - 1), for every p.
/// Volume in segments: rank 0 folds one in every round of the reduction. Who sends most, S up and about as
/// many down, has no short formula: it is not stated. Order: needs a commutative operation, but with 2 ranks;
/// same bits on all ranks. Any size, any S >= 1. Example with 5 ranks: that of bcast_circulant_pipeline, from
/// its last round to its first and back. Source: Träff 2024 (arXiv 2407.18004), reduction and broadcast.
class allreduce_circulant_pipeline {
public:
    constexpr allreduce_circulant_pipeline(place at, block_index segments)
        : from_0_{.rank = at.rank, .size = at.size, .root = 0}, down_(from_0_, segments) {}

    constexpr round_index rounds() const noexcept { return 2 * down_.rounds(); }
    constexpr block_index blocks() const noexcept { return down_.blocks(); }
    constexpr capabilities claims() const {
        return sequence(reduce_circulant_pipeline(down_, from_0_), down_).claims();
    }
    constexpr round_range active() const noexcept {
        return hull(up().active(), down_.active().shifted(down_.rounds()));
    }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        if (i < down_.rounds())
            up().emit(i, sink);
        else
            down_.emit(i - down_.rounds(), sink);
    }

private:
    constexpr reversed<kept_elsewhere<bcast_circulant_pipeline>> up() const noexcept {
        return {kept_elsewhere(down_), reversal::folds, from_0_.rank};
    }

    place from_0_; // of this rank
    bcast_circulant_pipeline down_;
};

constexpr allreduce_circulant_pipeline generate(collective_constant<collective::allreduce>,
                                                const circulant_pipeline& how, place at) {
    return {at, how.segments};
}

} // namespace tutti
