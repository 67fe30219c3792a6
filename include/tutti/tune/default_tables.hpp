// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <tutti/choose/default_rules.hpp>

/// From times to few rules: what `tutti tune` writes.
namespace tutti {

/// What each way took for one request; ways have the same order wherever they are compared.
struct timed_cell {
    rank_type size = 2;     ///< ranks
    std::int64_t bytes = 8; ///< of the whole vector
    std::vector<double> us; ///< of each way; the least that was measured
};

/// The ways that rules name, by index, for lengths in ascending order.
struct length_rule {
    std::int64_t bytes = 0; ///< up to here; default_rule::any_bytes at the end
    std::size_t way = 0;    ///< index of the way

    friend bool operator==(const length_rule&, const length_rule&) = default;
};
/// The rules for some sizes: which way for which lengths.
struct size_rule {
    rank_type ranks = 1;              ///< up to here; default_rule::any_size at the end
    std::vector<length_rule> lengths; ///< in ascending order

    friend bool operator==(const size_rule&, const size_rule&) = default;
};

namespace detail {

inline double least(const timed_cell& cell) { return *std::min_element(cell.us.begin(), cell.us.end()); }

inline std::size_t way_for(const std::vector<length_rule>& rules, std::int64_t bytes) {
    for (const length_rule& rule : rules)
        if (bytes <= rule.bytes) return rule.way;
    return rules.back().way;
}

/// How much longer these rules take than the best way, for the worst of the cells.
inline double worst_regret(const std::vector<length_rule>& rules, const std::vector<timed_cell>& cells) {
    double worst = 1;
    for (const timed_cell& cell : cells)
        worst = std::max(worst, cell.us[way_for(rules, cell.bytes)] / least(cell));
    return worst;
}

/// Each time the way that stays within `tolerance` of the best one for the most lengths in a row.
inline std::vector<length_rule> rules_for_lengths(const std::vector<timed_cell>& cells, double tolerance) {
    std::vector<length_rule> rules;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t best = 0, reach = 0;
        for (std::size_t way = 0; way < cells[i].us.size(); ++way) {
            std::size_t end = i;
            while (end < cells.size() && cells[end].us[way] <= tolerance * least(cells[end])) ++end;
            if (end > reach || (end == reach && cells[i].us[way] < cells[i].us[best])) {
                best = way;
                reach = end;
            }
        }
        // Borders lie half-way between the lengths that were looked at, which are powers of two.
        rules.push_back({.bytes = reach == cells.size()
                                      ? default_rule::any_bytes
                                      : (cells[reach - 1].bytes + cells[reach].bytes) / 2 - 1,
                         .way = best});
        i = reach;
    }
    return rules;
}

} // namespace detail

/// Passes over the same cells as one: of each way the geometric mean of its ratios to the best of the pass,
/// none of which counts for more than 4, over the half of the passes in which that cell was fastest and over
/// the other half; the worse of the two. A machine has slow minutes, in which cores may be further from each
/// other and another way the best: rules are for both.
inline std::vector<timed_cell> joined_passes(const std::vector<std::vector<timed_cell>>& passes) {
    std::vector<timed_cell> result = passes.front();
    const std::size_t half = (passes.size() + 1) / 2; // one in the middle belongs to both
    for (std::size_t c = 0; c < result.size(); ++c) {
        std::vector<const timed_cell*> by_speed;
        for (const std::vector<timed_cell>& pass : passes) by_speed.push_back(&pass[c]);
        std::ranges::sort(by_speed, {}, [](const timed_cell* cell) { return detail::least(*cell); });
        const double best = detail::least(*by_speed.front());
        for (std::size_t way = 0; way < result[c].us.size(); ++way) {
            if (std::isinf(result[c].us[way])) continue; // was not tried
            double fast = 1, slow = 1;
            for (std::size_t i = 0; i < by_speed.size(); ++i) {
                const double ratio = std::min(by_speed[i]->us[way] / detail::least(*by_speed[i]), 4.0);
                if (i < half) fast *= ratio;
                if (i >= by_speed.size() - half) slow *= ratio;
            }
            result[c].us[way] = best * std::pow(std::max(fast, slow), 1.0 / static_cast<double>(half));
        }
    }
    return result;
}

/// The ways that rules need not name: those of algorithms without which every cell still has a way that takes
/// at most `tolerance` times as long as the best of all. `algorithm[w]`: a number for that of way w. One
/// algorithm after the other is left out, each time the one that costs the least: what no rule names nobody
/// compiles, and where two are the same tree of two ranks, chance would choose. One that is named elsewhere
/// (`named[w]`, of all its ways) stays: it is compiled anyway.
inline std::vector<bool> dispensable_ways(const std::vector<timed_cell>& cells,
                                          const std::vector<std::size_t>& algorithm, double tolerance = 1.02,
                                          const std::vector<bool>& named = {}) {
    std::vector<bool> left_out(algorithm.size(), false);
    const auto worst_without = [&](std::size_t one) {
        double worst = 1;
        for (const timed_cell& cell : cells) {
            double best = std::numeric_limits<double>::infinity();
            for (std::size_t w = 0; w < algorithm.size(); ++w)
                if (!left_out[w] && algorithm[w] != one) best = std::min(best, cell.us[w]);
            worst = std::max(worst, best / detail::least(cell));
        }
        return worst;
    };
    for (;;) {
        std::size_t cheapest = 0;
        double cost = std::numeric_limits<double>::infinity();
        for (std::size_t w = 0; w < algorithm.size(); ++w) {
            if (left_out[w] || (!named.empty() && named[w])) continue;
            if (const double worst = worst_without(algorithm[w]); worst < cost) {
                cheapest = algorithm[w];
                cost = worst;
            }
        }
        if (cost > tolerance) return left_out;
        for (std::size_t w = 0; w < algorithm.size(); ++w)
            if (algorithm[w] == cheapest) left_out[w] = true;
    }
}

/// Few rules that cost at most `tolerance` times the best way, cell by cell. `cells` ascend by size, then by
/// bytes. Rules that serve a smaller number of ranks nearly as well (`joint`) serve it, too.
inline std::vector<size_rule> few_rules(const std::vector<timed_cell>& cells, double tolerance = 1.05,
                                        double joint = 1.10) {
    std::vector<std::vector<timed_cell>> by_size;
    for (const timed_cell& cell : cells) {
        if (by_size.empty() || by_size.back().front().size != cell.size) by_size.emplace_back();
        by_size.back().push_back(cell);
    }
    std::vector<size_rule> rules;
    for (auto of_size = by_size.rbegin(); of_size != by_size.rend(); ++of_size) {
        if (!rules.empty() && detail::worst_regret(rules.back().lengths, *of_size) <= joint) continue;
        rules.push_back({.ranks = rules.empty() ? default_rule::any_size : of_size->front().size,
                         .lengths = detail::rules_for_lengths(*of_size, tolerance)});
    }
    std::reverse(rules.begin(), rules.end());
    return rules;
}

} // namespace tutti
