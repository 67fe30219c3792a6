// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/scatter/reversed_gather.hpp>

namespace tutti {

/// Scatter along the f-nomial tree: the gather backwards. A rank receives the blocks of its subtree from its
/// parent and hands them on, the furthest child's first.
///
/// Rounds: T = ceil(log_f p), the least for radix 2. Volume: the root sends p - 1 of p blocks, the least;
/// nobody receives more than min(f^(T-1), ...) of them: see gather/fnomial.hpp.
/// Order: nothing is folded. Restrictions: one segment.
/// Example with 5 ranks, root 3, radix 2: blocks 2 to rank 2; then 0..1 to rank 0; then 4 to 4, and 1 from 0
/// to 1.
/// Source: Thakur, Rabenseifner and Gropp 2005, section 3.
constexpr auto generate(collective_constant<collective::scatter>, const fnomial& how, place at) {
    return reversed_gather(generate(of<collective::gather>, how, at), at);
}

} // namespace tutti
