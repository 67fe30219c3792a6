// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/gather/serial.hpp>
#include <tutti/schedule/reduce_scatter/ring.hpp>

namespace tutti {

/// Reduce: the reduce-scatter round a ring, then every rank sends its block straight to the root.
///
/// Rounds: p. Volume: the busiest rank sends p of p blocks and folds p - 1; the root receives 2 (p - 1), the
/// last p - 1 of them as messages in one round. Order: needs a commutative operation. Restrictions: none.
/// Source: Patarasuk and Yuan 2009, for the reduce-scatter.
constexpr auto generate(collective_constant<collective::reduce>, const ring& how, place at) {
    return sequence{generate(of<collective::reduce_scatter>, how, at), gather_serial(at)};
}

} // namespace tutti
