// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>

namespace tutti {

/// Broadcast of long vectors: every rank gets a block of its own down the f-nomial tree, then an allgather.
///
/// Rounds: ceil(log_f p) and those of the allgather, so 2 ceil(lg p) with radix 2 and `circulant`.
/// Volume: the root sends p - 1 of p blocks and what all send in the allgather, with `circulant` or `ring`
/// p - 1 more. It is stated for allgathers in which all ranks do the same.
/// Order: nothing is folded. Any size, any root, any f >= 2.
/// Example with 5 ranks, root 0, radix 2, `ring`: 0 sends block 4 to 4, 2,3 to 2, and 1 to 1 while 2 sends 3
/// to 3; then four rounds of the ring. Source: Barnett, Gupta, Payne, Shuler, van de Geijn and Watts 1994
/// (InterCom; scatter/collect).
template <class Allgather>
constexpr auto generate(collective_constant<collective::bcast>, const scatter_allgather<Allgather>& how,
                        place at) {
    return sequence{generate(of<collective::scatter>, fnomial{.radix = how.radix}, at),
                    generate(of<collective::allgather>, how.allgather, at)};
}

} // namespace tutti
