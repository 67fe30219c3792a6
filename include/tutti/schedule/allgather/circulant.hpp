// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>

namespace tutti {

/// Allgather on the circulant graph: the reduce-scatter with time running backwards.
///
/// Rounds: ceil(lg p), more if messages are bounded or skips listed: see there. Volume: every rank sends p -
/// 1 of p blocks. Without a bound or a list both are the least possible, for every p. Order: nothing is
/// folded. Restrictions: none. Source: Träff 2024 (arXiv 2410.14234), allgather.
// No `reversed` that states its claims: with a list of skips in it, it would be too long for any_generator.
class allgather_circulant {
public:
    constexpr explicit allgather_circulant(place at, const circulant& how = {}) : scatter_(at, how) {}

    constexpr round_index rounds() const noexcept { return scatter_.rounds(); }
    constexpr block_index blocks() const noexcept { return scatter_.blocks(); }
    constexpr capabilities claims() const noexcept { return moving_only(scatter_.claims()); }

    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index i, Sink&& sink) const {
        scatter_.emit_backwards(rounds() - 1 - i, sink);
    }

private:
    reduce_scatter_circulant scatter_;
};

constexpr auto generate(collective_constant<collective::allgather>, const circulant& how, place at) {
    return allgather_circulant(at, how);
}

} // namespace tutti
