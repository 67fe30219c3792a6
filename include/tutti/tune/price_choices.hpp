// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/tune/default_tables.hpp>
#include <tutti/tune/measure_choices.hpp>

/// Prices where there are no measurements: of more ranks than a machine has cores.
namespace tutti {

/// The algorithms that are priced, with the values of their options that are tried: more of them than are
/// measured, for they cost no time on a machine, and many ranks want greater ones.
inline std::vector<candidate> ways_to_price(collective what, measured_ones among = measured_ones::winners,
                                            rank_type largest = 64) {
    return detail::ways_to_try(what, among, largest,
                               {.radices = {2, 4, 8, 16, 32}, .segments = {1, 4, 8, 16, 32, 64}});
}

/// What each of these ways, of one collective, takes on `size` ranks by the model of a machine: a cell for
/// each of lengths_to_measure(), as measure_choices() has them. Ways that take more than twice as long as the
/// best of all, or, if they keep the order of ranks, as the best of those, may be said to take for ever.
inline std::vector<timed_cell> price_choices(const machine& on, std::span<const candidate> ways,
                                             rank_type size, std::int64_t longest) {
    std::vector<timed_cell> cells;
    if (ways.empty()) return cells;
    const collective what = ways.front().entry->what;
    const auto index_of = [&](const candidate& c) {
        std::size_t w = 0;
        while (ways[w].entry != c.entry || ways[w].with != c.with) ++w;
        return w;
    };
    for (const std::int64_t bytes : lengths_to_measure(what, longest)) {
        timed_cell cell{.size = size, .bytes = bytes, .us = {}};
        cell.us.assign(ways.size(), std::numeric_limits<double>::infinity());
        for (const bool commutative : {true, false}) { // or who keeps the order is left for who does not
            if (!commutative && !folds(what)) continue;
            const selection_request request{
                .what = what, .size = size, .bytes = bytes, .commutative = commutative, .every_root = true};
            const ranking ranked = rank_candidates(on, request, ways);
            for (const rated_candidate& rated : ranked.all) {
                const std::size_t w = index_of(rated.what);
                if (rated.how == rated_candidate::verdict::priced)
                    cell.us[w] = rated.cost.us;
                else if (rated.how == rated_candidate::verdict::hopeless
                         && rated.at_least_us <= 2 * ranked.best().cost.us) // it may be nearly the best
                    cell.us[w] = rank_candidates(on, request, ways.subspan(w, 1)).best().cost.us;
            }
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

} // namespace tutti
