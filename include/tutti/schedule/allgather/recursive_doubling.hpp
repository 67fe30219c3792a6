// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather/exchanges.hpp>

namespace tutti {

/// Allgather by exchange at distance 1, 2, 4, ...: both partners send all they have, always a range of
/// consecutive blocks. See allgather_exchanges.
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two.
/// Volume: p - 1 of p blocks if p is a power of two; else rank 0, the busiest, sends
/// p' - 1 + sum over k < lg p' of min(2^k, r) in the exchanges and p - 1 at the end.
/// Cost: lg p alpha + (p - 1) m beta for a power of two, m being the length of a block.
/// Order: nothing is folded. Restrictions: none.
/// Source: Thakur and Gropp 2003, section 4.1; ranks are removed as in Rabenseifner and Adamidis 2004,
/// section 3.5, where the former spend 2 floor(lg p) rounds.
using allgather_recursive_doubling = allgather_exchanges<doubling_exchanges>;

constexpr auto generate(collective_constant<collective::allgather>, const recursive_doubling&, place at) {
    return allgather_recursive_doubling(at);
}

} // namespace tutti
