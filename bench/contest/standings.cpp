// SPDX-License-Identifier: BSL-1.0
#include "standings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <utility>

#include "../clock.hpp"

namespace contest {

namespace {

/// Geometric.
double mean(const std::vector<double>& speeds) {
    double logarithms = 0;
    for (const double one : speeds) logarithms += std::log(one);
    return speeds.empty() ? 0 : std::exp(logarithms / static_cast<double>(speeds.size()));
}

/// As a picture says it, in four digits: so it can be drawn anew from its own words.
double as_told(double speed) { return std::stod(program::value_text(speed, "")); }

std::string fixed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

bench::cell figure(double value) {
    if (value == 0) return std::string("-");
    return bench::measured{value};
}

} // namespace

bool standings::add(std::size_t who, const cell& where, double us) {
    const auto found = std::find(cells_.begin(), cells_.end(), where);
    if (found == cells_.end()) return false;
    times_[who][static_cast<std::size_t>(found - cells_.begin())].push_back(us);
    return true;
}

double standings::time_of(std::size_t who, std::size_t c) const {
    return counts_ == statistic::least ? bench::minimum(times_[who][c]) : bench::median(times_[who][c]);
}

std::size_t standings::best(std::size_t c) const {
    std::size_t first = all_.size();
    for (std::size_t who = 0; who < all_.size(); ++who)
        if (all_[who].is_peer && !times_[who][c].empty()
            && (first == all_.size() || time_of(who, c) < time_of(first, c)))
            first = who;
    return first;
}

double standings::speed(std::size_t who, std::size_t c, base to) const {
    std::size_t other = best(c);
    if (to == base::same_mpi)
        for (other = 0; other < all_.size(); ++other)
            if (all_[other].is_peer && all_[other].name == all_[who].over) break;
    const double ours = time_of(who, c);
    return other == all_.size() || ours == 0 ? 0 : time_of(other, c) / ours;
}

double standings::mean_speed(std::size_t who, base to, std::size_t from, std::size_t until) const {
    std::vector<double> speeds;
    for (std::size_t c = 0; c < cells_.size(); ++c)
        if (const double one = speed(who, c, to);
            one > 0 && cells_[c].bytes >= from && cells_[c].bytes <= until)
            speeds.push_back(one);
    return mean(speeds);
}

double standings::worst_speed(std::size_t who, base to) const {
    const std::vector<std::size_t> cells = ordered(who, to);
    return cells.empty() ? 0 : speed(who, cells.front(), to);
}

std::vector<std::size_t> standings::ordered(std::size_t who, base to) const {
    std::vector<std::size_t> cells;
    for (std::size_t c = 0; c < cells_.size(); ++c)
        if (speed(who, c, to) > 0) cells.push_back(c);
    std::sort(cells.begin(), cells.end(),
              [&](std::size_t a, std::size_t b) { return speed(who, a, to) < speed(who, b, to); });
    return cells;
}

bool standings::is_rated(std::size_t who, base to) const {
    return !all_[who].is_peer && (to == base::best_mpi || !all_[who].over.empty())
           && !ordered(who, to).empty();
}

std::string standings::text_of(std::size_t c) const {
    const std::string name(tutti::name_of(cells_[c].what));
    return cells_[c].bytes == 0 ? name : name + " " + bench::size_text(cells_[c].bytes);
}

void standings::tell_ratios(bench::report& out, base to) const {
    const bool is_best = to == base::best_mpi;
    bench::table t{is_best ? "peers" : "same_mpi",
                   std::to_string(ranks_) + " ranks: the time of "
                       + (is_best ? "the best MPI in each cell" : "the same MPI's own collectives")
                       + " over tutti's (above 1: tutti is faster)",
                   {"collective", "size"}};
    if (is_best) t.columns.insert(t.columns.end(), {"best MPI", "its us"});
    std::vector<std::size_t> rated;
    for (std::size_t who = 0; who < all_.size(); ++who)
        if (is_rated(who, to)) {
            rated.push_back(who);
            t.columns.push_back(all_[who].name);
        }
    if (rated.empty()) return;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        const std::size_t first = best(c);
        if (first == all_.size()) continue;
        std::vector<bench::cell> row{std::string(tutti::name_of(cells_[c].what)),
                                     cells_[c].bytes == 0 ? "" : bench::size_text(cells_[c].bytes)};
        if (is_best) row.insert(row.end(), {all_[first].name, bench::measured{time_of(first, c)}});
        for (const std::size_t who : rated) row.push_back(figure(speed(who, c, to)));
        t.row(std::move(row));
    }
    std::vector<bench::cell> last{std::string("geometric mean"), std::string()};
    if (is_best) last.insert(last.end(), 2, std::string());
    for (const std::size_t who : rated) last.push_back(figure(mean_speed(who, to)));
    t.row(std::move(last));
    out.add(std::move(t));
}

void standings::tell_times(bench::report& out) const {
    bench::table t{"times", std::to_string(ranks_) + " ranks: us", {"collective", "size"}};
    for (const contestant& one : all_) t.columns.push_back(one.name);
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        std::vector<bench::cell> row{std::string(tutti::name_of(cells_[c].what)),
                                     cells_[c].bytes == 0 ? "" : bench::size_text(cells_[c].bytes)};
        for (std::size_t who = 0; who < all_.size(); ++who) row.push_back(figure(time_of(who, c)));
        t.row(std::move(row));
    }
    out.add(std::move(t));
}

void standings::tell(bench::report& out) const {
    bench::table t{"summary",
                   std::to_string(ranks_) + " ranks: what that comes to",
                   {"tutti", "over", "mean", "cells", "below 1", "worst"}};
    for (const base to : {base::best_mpi, base::same_mpi}) {
        tell_ratios(out, to);
        for (std::size_t who = 0; who < all_.size(); ++who) {
            if (!is_rated(who, to)) continue;
            const std::vector<std::size_t> cells = ordered(who, to);
            const auto below = std::count_if(cells.begin(), cells.end(),
                                             [&](std::size_t c) { return speed(who, c, to) < 1; });
            std::string worst;
            for (std::size_t k = 0; k < std::min<std::size_t>(3, cells.size()); ++k)
                worst += (k == 0 ? "" : ", ") + text_of(cells[k]) + " " + fixed(speed(who, cells[k], to));
            t.row({all_[who].name, to == base::best_mpi ? "best MPI" : all_[who].over,
                   figure(mean_speed(who, to)), static_cast<std::int64_t>(cells.size()),
                   static_cast<std::int64_t>(below), std::move(worst)});
        }
    }
    if (t.rows.empty())
        tell_times(out); // nobody to be compared with
    else
        out.add(std::move(t));
}

void standings::write_heading(std::ostream& to) {
    to << "ranks,collective,bytes,contestant,batches,median_us,least_us,over_best_mpi,over_same_mpi\n";
}

void standings::write_csv(std::ostream& to) const {
    for (std::size_t c = 0; c < cells_.size(); ++c)
        for (std::size_t who = 0; who < all_.size(); ++who) {
            const std::vector<double>& taken = times_[who][c];
            if (taken.empty()) continue;
            to << ranks_ << ',' << tutti::name_of(cells_[c].what) << ',' << cells_[c].bytes << ','
               << all_[who].name << ',' << taken.size() << ',' << time_of(who, c) << ','
               << bench::minimum(taken);
            for (const base is : {base::best_mpi, base::same_mpi}) {
                to << ',';
                if (is_rated(who, is) && speed(who, c, is) > 0) to << speed(who, c, is);
            }
            to << '\n';
        }
}

program::chart standings::drawn() const {
    program::chart result{.title = std::to_string(ranks_) + " ranks", .unit = " x", .base = 2};
    std::vector<std::size_t> sizes;
    for (const cell& one : cells_)
        if (one.bytes > 0) sizes.push_back(one.bytes);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (std::size_t who = 0; who < all_.size(); ++who) {
        const base to = all_[who].over.empty() ? base::best_mpi : base::same_mpi;
        if (!is_rated(who, to)) continue;
        program::chart_line line{all_[who].name};
        for (const std::size_t bytes : sizes)
            if (const double each = mean_speed(who, to, bytes, bytes); each > 0)
                line.points.emplace_back(static_cast<double>(bytes), as_told(each));
        result.lines.push_back(std::move(line));
    }
    return result;
}

} // namespace contest
