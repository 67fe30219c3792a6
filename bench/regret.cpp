// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/tune/any_call.hpp>
#include <tutti/tune/time_choices.hpp>

#include "clock.hpp"
#include "hand.hpp"

/// What the tables that ship cost: the algorithm that a call takes against every one of the catalogue by
/// name, with its defaults.
namespace bench {
namespace {

using namespace tutti;

constexpr collective collectives[]{collective::bcast,          collective::reduce,    collective::allreduce,
                                   collective::reduce_scatter, collective::allgather, collective::alltoall,
                                   collective::gather,         collective::scatter,   collective::scan,
                                   collective::exscan};
constexpr int rounds = 12;
constexpr double seconds_per_cell = 0.05;

struct cell_regret {
    collective what;
    std::int64_t bytes;
    std::string chosen;
    std::string best;
    double us = 0; ///< of the best
    double regret = 1;
    double by_others = 1; ///< against the one that was best in the other rounds
};

/// Microseconds of every way, round after round.
using timings = std::vector<std::vector<double>>;

/// The least that each way took, in all rounds but one.
std::vector<double> least(const timings& us, std::size_t but = ~std::size_t{0}) {
    std::vector<double> result(us.front().size(), std::numeric_limits<double>::infinity());
    for (std::size_t round = 0; round < us.size(); ++round)
        for (std::size_t w = 0; w < result.size() && round != but; ++w)
            result[w] = std::min(result[w], us[round][w]);
    return result;
}

std::size_t fastest(const std::vector<double>& us) {
    return static_cast<std::size_t>(std::min_element(us.begin(), us.end()) - us.begin());
}

/// The least of many measurements is too low, the more so the more there are: what was the fastest in the
/// other rounds is measured anew in each. Below 1 where the others are mistaken.
double regret_by_others(const timings& us) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < us.size(); ++round)
        ratios.push_back(us[round].front() / us[round][fastest(least(us, round))]);
    return median(std::move(ratios));
}

/// The chosen one first.
std::vector<choice> ways(collective what, const request_facts& facts, cores here) {
    std::vector<choice> all{default_choice(what, facts, here).to};
    for (const catalogue_entry& entry : catalogue_of(what)) {
        const choice one{.algorithm = entry.name, .make = entry.make, .with = entry.defaults};
        if (!(one == all.front())) all.push_back(one);
    }
    return all;
}

/// A double; for every rank where each has a part.
std::int64_t shortest(collective what, rank_type size) { return has_parts(what) ? 8 * size : 8; }

/// Every way in some rounds, each with threads of its own, and nanoseconds of the hand-overs between them.
std::vector<cell_regret> regrets(rank_type size, std::vector<double>& hand_overs) {
    struct cell {
        std::vector<choice> tried;
        timings us;
    };
    std::map<std::pair<collective, std::int64_t>, cell> cells;
    for (int round = 0; round < rounds; ++round) {
        if (detail::usable_cores() > 1) hand_overs.push_back(1e9 * hand_over());
        for (const collective what : collectives)
            threads::run(size, [&](auto& comm) {
                for (std::int64_t bytes = shortest(what, size); bytes <= 2 << 20; bytes *= 8) {
                    const std::vector<choice> all =
                        ways(what, {.at = comm.here(), .bytes = bytes}, comm.has_cores());
                    const std::vector<double> us =
                        time_choices(comm, {.what = what, .bytes = bytes}, all, seconds_per_cell);
                    if (comm.rank() != 0) continue;
                    cells.try_emplace({what, bytes}, cell{all, {}}).first->second.us.push_back(us);
                }
            });
    }
    std::vector<cell_regret> found;
    for (const auto& [at, of] : cells) {
        const std::vector<double> us = least(of.us);
        const std::size_t best = fastest(us);
        found.push_back({at.first, at.second, name_of(of.tried.front()), name_of(of.tried[best]), us[best],
                         us.front() / us[best], regret_by_others(of.us)});
    }
    return found;
}

} // namespace

void measure_regret(report& out) {
    table t{"regret",
            "What is chosen against the best by name, over threads: where it takes 1.1 times as long or more",
            {"collective", "p", "bytes", "chosen", "best", "us", "regret", "by others"}};
    table sums{"regret_sums",
               "All of these cells",
               {"p", "cells", "geometric mean", "worst", "mean by others", "worst by others",
                "hand-over of a cache line, ns: least", "most"}};
    for (const rank_type size : {2, 4, 8, 16}) {
        if (size == 16 && detail::usable_cores() < 16) continue; // of 16 that share few all take long
        std::vector<double> ns;
        const std::vector<cell_regret> all = regrets(size, ns);
        if (ns.empty()) ns.push_back(0);
        const auto [least_ns, most_ns] = std::minmax_element(ns.begin(), ns.end());
        double logs = 0, worst = 1, logs_by_others = 0, worst_by_others = 0;
        for (const cell_regret& one : all) {
            logs += std::log(one.regret);
            worst = std::max(worst, one.regret);
            logs_by_others += std::log(one.by_others);
            worst_by_others = std::max(worst_by_others, one.by_others);
            if (one.regret >= 1.1)
                t.row({std::string(name_of(one.what)), std::int64_t{size}, one.bytes, one.chosen, one.best,
                       measured{one.us}, measured{one.regret}, measured{one.by_others}});
        }
        const auto cells = static_cast<double>(all.size());
        const double mean = std::exp(logs / cells);
        const double mean_by_others = std::exp(logs_by_others / cells); // the one that no luck makes larger
        sums.row({std::int64_t{size}, static_cast<std::int64_t>(all.size()), measured{mean, 3},
                  measured{worst}, measured{mean_by_others, 3}, measured{worst_by_others},
                  measured{*least_ns, 0}, measured{*most_ns, 0}});
        const std::string at = " at p = " + std::to_string(size);
        out.at_most("regret of the default choice, geometric mean" + at, mean_by_others, 1.03);
        out.at_most("regret of the default choice, worst cell" + at, worst_by_others, 1.25);
    }
    out.add(t);
    out.add(sums);
}

} // namespace bench
