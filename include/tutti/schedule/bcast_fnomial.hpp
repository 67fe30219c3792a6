// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/fnomial.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/bcast_tree.hpp>

namespace tutti {

/// Broadcast down the f-nomial tree, in S segments; whole and with radix 2 the binomial broadcast.
/// Rounds: ceil(log_f p) + S - 1.
/// Volume: the root sends the vector (f-1) floor(log_f p) + ceil(p / f^floor(log_f p)) - 1 times.
/// Any size, any root, any f >= 2 and S >= 1.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 5.2 ("a tree as it expands") and appendix A.
constexpr auto generate(collective_constant<collective::bcast>, const fnomial& how, place at) {
    return bcast_over(fnomial_tree(at, how.radix), how.segments);
}

} // namespace tutti
