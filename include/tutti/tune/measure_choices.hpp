// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/decision_rule.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/tune/default_tables.hpp>
#include <tutti/tune/time_choices.hpp>

/// From candidates to the rules of a decision table, by measuring them over any transport. For ranks of one
/// size, and a collective:
///
///     tutti::measured_choices of{.what = what, .ways = tutti::ways_to_measure(what), .first = comm.size()};
///     of.cells = tutti::measure_choices(comm, of.ways, 1 << 20, 0.1, [] {});
///     comm.choose_by(tutti::by_table(tutti::decision_table("here", tutti::rules_of(of))));
///
/// Without the archive tutti::compiled, a file that includes this compiles the whole catalogue.
namespace tutti {

/// Which algorithms are measured.
enum class measured_ones : std::uint8_t {
    winners,   ///< those that the tables that ship may take
    catalogue, ///< all that a rule may take: for blocks of any length, where there are such
};

namespace detail {
/// Whether a rule may take it on up to `largest` ranks: for blocks of any length, where there are such.
inline bool may_be_chosen(const candidate& c, rank_type largest) {
    const selection_request any{.what = c.entry->what, .equal_blocks = !has_unequal_blocks(c.entry->what)};
    for (rank_type size = 1; size <= largest; ++size)
        if (!not_covered(c.schedule({0, size, 0}).claims(), any).empty()) return false;
    return true;
}

/// The values of options that are tried.
struct tried_values {
    std::vector<rank_type> radices{2, 4, 8};
    std::vector<block_index> segments{1, 4, 8, 16, 64};
};

/// Adds an algorithm, with these values of its options.
inline void add_ways(std::vector<candidate>& all, const catalogue_entry& entry, const tried_values& values) {
    for (const rank_type radix : values.radices)
        for (const block_index segments : values.segments)
            for (const std::int64_t outstanding : {1, 4, 16}) {
                const candidate one{&entry, effective(entry, {{"radix", radix},
                                                              {"segments", segments},
                                                              {"outstanding", outstanding}})};
                const auto same = [&](const candidate& c) {
                    return c.entry == one.entry && c.with == one.with;
                };
                if (std::none_of(all.begin(), all.end(), same)) all.push_back(one);
            }
}

inline std::vector<candidate> ways_to_try(collective what, measured_ones among, rank_type largest,
                                          const tried_values& values) {
    std::vector<candidate> all;
    if (among == measured_ones::winners) {
        for (const choice& winner : default_winners_of(what))
            add_ways(all, *find_algorithm(what, winner.algorithm), values);
    } else {
        for (const catalogue_entry& entry : catalogue_of(what)) add_ways(all, entry, values);
        std::erase_if(all, [&](const candidate& c) { return !may_be_chosen(c, largest); });
    }
    return all;
}
} // namespace detail

/// The algorithms that are measured for up to `largest` ranks, with the values of their options that are
/// tried.
inline std::vector<candidate> ways_to_measure(collective what, measured_ones among = measured_ones::winners,
                                              rank_type largest = 64) {
    return detail::ways_to_try(what, among, largest, {});
}

/// The lengths of whole vectors that are measured, in bytes, ascending: from 8 to at most `longest`, which is
/// at least 8.
inline std::vector<std::int64_t> lengths_to_measure(collective what, std::int64_t longest) {
    if (what == collective::barrier) return {8};
    std::vector<std::int64_t> all;
    for (std::int64_t bytes = 8; bytes <= longest; bytes *= 2) all.push_back(bytes);
    return all;
}

/// What each of these ways, of one collective, takes on the ranks of `comm`: a cell for each of
/// lengths_to_measure(). What was not tried takes for ever. All ranks call it with the same arguments and get
/// the same answer; each calls measured() after each cell, which takes about `seconds` (as time_choices
/// does).
template <class Transport, class Measured>
std::vector<timed_cell> measure_choices(communicator<Transport>& comm, std::span<const candidate> ways,
                                        std::int64_t longest, double seconds, const Measured& measured) {
    std::vector<timed_cell> cells;
    if (ways.empty()) return cells;
    const collective what = ways.front().entry->what;
    for (const std::int64_t bytes : lengths_to_measure(what, longest)) {
        // Those of many segments are not worth the time on short vectors.
        std::vector<choice> some;
        std::vector<std::size_t> index;
        for (std::size_t w = 0; w < ways.size(); ++w)
            if (ways[w].with.get("segments") <= std::max<std::int64_t>(1, bytes / 1024)) {
                some.push_back(choice_of(ways[w]));
                index.push_back(w);
            }
        const std::vector<double> us = time_choices(comm, {.what = what, .bytes = bytes}, some, seconds);
        timed_cell cell{.size = comm.size(), .bytes = bytes, .us = {}};
        cell.us.assign(ways.size(), std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < us.size(); ++i) cell.us[index[i]] = us[i];
        cells.push_back(std::move(cell));
        measured();
    }
    return cells;
}

/// Whether it keeps the order of ranks, for any root; always where nothing is folded.
inline bool keeps_order(const candidate& c, rank_type size) {
    if (!folds(c.entry->what)) return true;
    for (const rank_type root : {0, 1, size / 2, size - 1})
        if (root < size
            && !c.schedule({0, size, has_root(c.entry->what) ? root : 0}).claims().order_preserving)
            return false;
    return true;
}

/// The cells of one collective, every size and length, each way its time.
struct measured_choices {
    collective what = collective::barrier; ///< the collective
    std::vector<candidate> ways;           ///< what was tried
    std::vector<timed_cell> cells{};       ///< ascend by size, then by bytes
    rank_type first = 1;                   ///< the smallest size that rules are for

    /// As they are for operations that need not commute: who does not keep the order takes for ever. It has
    /// to for all numbers of ranks between the next smaller one that was measured and this one: the rule will
    /// be for them, too.
    std::vector<timed_cell> in_order() const {
        std::vector<timed_cell> result = cells;
        rank_type from = first, last = 0;
        std::vector<bool> keeps(ways.size());
        for (timed_cell& cell : result) {
            if (cell.size != last) {
                if (last > 0) from = last + 1;
                last = cell.size;
                for (std::size_t w = 0; w < ways.size(); ++w) keeps[w] = keeps_order_from(w, from, last);
            }
            for (std::size_t w = 0; w < ways.size(); ++w)
                if (!keeps[w]) cell.us[w] = std::numeric_limits<double>::infinity();
        }
        return result;
    }

private:
    bool keeps_order_from(std::size_t way, rank_type from, rank_type to) const {
        const std::vector<rank_type> sizes =
            detail::sizes_to_try({from, to}); // on which a table tries it, too
        return std::all_of(sizes.begin(), sizes.end(),
                           [&](rank_type size) { return keeps_order(ways[way], size); });
    }
};

/// Forgets the ways of algorithms that hardly any cell needs, but for those that are `named` elsewhere; see
/// dispensable_ways. `those` are of one collective, and have the same ways.
inline void leave_out_dispensable(std::span<measured_choices> those,
                                  std::span<const std::string_view> named = {}) {
    if (those.empty()) return;
    const std::vector<candidate>& ways = those.front().ways;
    std::vector<timed_cell> all;
    for (const measured_choices& of : those) {
        all.insert(all.end(), of.cells.begin(), of.cells.end());
        if (!folds(of.what)) continue;
        const std::vector<timed_cell> in_order = of.in_order();
        all.insert(all.end(), in_order.begin(), in_order.end());
    }
    std::vector<std::size_t> algorithm;
    std::vector<bool> stays;
    for (const candidate& c : ways) {
        stays.push_back(std::find(named.begin(), named.end(), c.entry->name) != named.end());
        const auto first = std::find_if(ways.begin(), ways.end(),
                                        [&](const candidate& other) { return other.entry == c.entry; });
        algorithm.push_back(static_cast<std::size_t>(first - ways.begin()));
    }
    const std::vector<bool> left_out = dispensable_ways(all, algorithm, 1.02, stays);
    for (measured_choices& of : those)
        for (timed_cell& cell : of.cells)
            for (std::size_t w = 0; w < left_out.size(); ++w)
                if (left_out[w]) cell.us[w] = std::numeric_limits<double>::infinity();
}

/// The few rules that cost little, see few_rules, as those of a decision table: for sizes from `first` to the
/// greatest one that was measured, those between two with the greater one, and for all lengths. What a table
/// asks of rules holds; none without cells.
inline std::vector<decision_rule> rules_of(const measured_choices& of) {
    std::vector<decision_rule> rules;
    if (of.cells.empty()) return rules;
    for (const bool in_order : {false, true}) {
        if (in_order && !folds(of.what)) continue;
        rank_type from_rank = of.first;
        for (const size_rule& rule : few_rules(in_order ? of.in_order() : of.cells)) {
            const rank_type last = std::min(rule.ranks, of.cells.back().size);
            std::int64_t from = 0;
            for (const length_rule& r : rule.lengths) {
                rules.push_back({.what = of.what,
                                 .commutative = !in_order,
                                 .ordered = in_order || !folds(of.what),
                                 .sizes = {from_rank, last},
                                 .bytes = {from, r.bytes},
                                 .choice = of.ways[r.way]});
                if (r.bytes != default_rule::any_bytes) from = r.bytes + 1;
            }
            from_rank = last + 1;
        }
    }
    return rules;
}

} // namespace tutti
