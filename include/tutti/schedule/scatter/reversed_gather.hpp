// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

/// The scatter that `gather` is with time running backwards: what the root received it sends. No rank of
/// `gather` may receive a block twice.
/// Volume: the root sends the blocks of the p - 1 others.
/// Example with 5 ranks: if root 3 receives block 4 last, it sends that first.
template <generator G>
constexpr auto reversed_gather(const G& gather, place at) {
    return reversed_once_each(gather, reversal::copies, at);
}

} // namespace tutti
