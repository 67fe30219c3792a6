// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>
#include <utility>

#include <tutti/core/compiled.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/any_cost_model.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/ranking.hpp>

#if TUTTI_BODIES
#include <tutti/model/branch_and_bound.hpp>
#endif

namespace tutti {

/// Prices every algorithm of `among` for the request's collective, with every value of its options that is
/// worth trying, and beside them the candidates of `more`, and ranks all. Candidates whose claims do not
/// cover the request are refused; those that are dear to price and cannot win are not priced to the end.
///
/// A pure function of its arguments: all ranks, and all programs, rank alike. Throws argument_error for a
/// request that is none (size < 1, root outside, negative bytes). Time: that of evaluate for each candidate;
/// all together about 0.1 ms for 8 ranks, some tens of ms for 4096; `watch` is told after each.
ranking rank_algorithms(const detail::any_cost_model& on, std::string machine_name,
                        const selection_request& request, std::span<const catalogue_entry> among,
                        watcher watch = {}, std::span<const candidate> more = {});

/// Ranks these candidates and no others.
ranking rank_candidates(const machine& on, const selection_request& request,
                        std::span<const candidate> candidates, watcher watch = {});

/// The same on a model that is at hand as it is. That its costs never fall with the length of a message, and
/// what else cost_model says, is taken for granted.
template <cost_model M>
ranking rank_algorithms(const M& on, std::string name, const selection_request& request,
                        std::span<const catalogue_entry> among) {
    return rank_algorithms(detail::any_cost_model(on), std::move(name), request, among);
}

/// The same on the model of a machine.
ranking rank_algorithms(const machine& on, const selection_request& request,
                        std::span<const catalogue_entry> among, watcher watch = {},
                        std::span<const candidate> more = {});

#if TUTTI_BODIES
TUTTI_BODY ranking rank_algorithms(const detail::any_cost_model& on, std::string machine_name,
                                   const selection_request& request, std::span<const catalogue_entry> among,
                                   watcher watch, std::span<const candidate> more) {
    check_request(request);
    detail::branch_and_bound all(on, request);
    for_each_candidate(among, request, on.stage_of(request), [&](const candidate& c) { all.add(c); });
    for (const candidate& c : more) all.add(c);
    return {.request = request, .machine_name = std::move(machine_name), .all = all.ranked(watch)};
}

TUTTI_BODY ranking rank_candidates(const machine& on, const selection_request& request,
                                   std::span<const candidate> candidates, watcher watch) {
    return rank_algorithms(on, request, {}, watch, candidates);
}

TUTTI_BODY ranking rank_algorithms(const machine& on, const selection_request& request,
                                   std::span<const catalogue_entry> among, watcher watch,
                                   std::span<const candidate> more) {
    return rank_algorithms(detail::any_cost_model::of(on), on.name, request, among, watch, more);
}
#endif

} // namespace tutti
