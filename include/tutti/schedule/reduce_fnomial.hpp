// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/pattern/fnomial.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/reduce_tree.hpp>

namespace tutti {

/// Reduction up the f-nomial tree, in S segments; whole and with radix 2 the binomial reduction.
/// Rounds: ceil(log_f p) + S - 1.
/// Volume: the root folds (f-1) floor(log_f p) + ceil(p / f^floor(log_f p)) - 1 vectors.
/// Order: kept for root 0, and for the one root whose last child is rank 0.
/// Any size, any root, any f >= 2 and S >= 1.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 5.2 and appendix A.
constexpr auto generate(collective_constant<collective::reduce>, const fnomial& how, place at) {
    return reduce_over(fnomial_tree(at, how.radix), how.segments, at.rank);
}

} // namespace tutti
