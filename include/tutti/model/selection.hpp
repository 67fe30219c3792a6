// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/compiled.hpp>
#include <tutti/model/rank_algorithms.hpp>

#if TUTTI_BODIES
#include <tutti/schedule/catalogue.hpp>
#endif

/// Which algorithm, with which parameters, on which machine, and why.
namespace tutti {

/// Ranks the algorithms of the whole catalogue for a request: see the overload in model/rank_algorithms.hpp.
///
///     const ranking r = rank_algorithms(default_machine(), {.what = collective::allreduce, .size = 64,
///                                                           .bytes = 1 << 20});
///     name_of(r.best().what); // "ring"
///     r.explain();            // a line for every candidate
ranking rank_algorithms(const machine& on, const selection_request& request);

#if TUTTI_BODIES
TUTTI_BODY ranking rank_algorithms(const machine& on, const selection_request& request) {
    return rank_algorithms(on, request, catalogue_of(request.what));
}
#endif

} // namespace tutti
