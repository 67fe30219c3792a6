// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "../../examples/tutti/chart.hpp"
#include "../report.hpp"
#include "cells.hpp"

namespace contest {

/// An MPI, or tutti in one of its forms.
struct contestant {
    std::string name;
    std::string over;    ///< of tutti: the MPI below it, "" if none
    bool is_peer;        ///< an MPI's own collectives
    std::string command; ///< for the shell; {n} stands for the number of ranks
    std::string is{};    ///< what it says of itself
    bool is_out = false; ///< has failed
};

/// What counts of many times: on a machine that others use, only the least says something.
enum class statistic : bool { median, least };

/// Who was how fast where, for one number of ranks.
class standings {
public:
    standings(int ranks, const std::vector<contestant>& all, const std::vector<cell>& cells, statistic counts)
        : ranks_(ranks), all_(all), cells_(cells), counts_(counts),
          times_(all.size(), std::vector<std::vector<double>>(cells.size())) {}

    /// What tutti's time is set in relation to.
    enum class base : bool { best_mpi, same_mpi };

    /// False if there is no such cell.
    bool add(std::size_t who, const cell& where, double us);
    /// The base's time over that of `who`; 0 if one of them is not known.
    double speed(std::size_t who, std::size_t c, base to) const;
    /// Over the cells of from..to bytes.
    double mean_speed(std::size_t who, base to, std::size_t from = 0,
                      std::size_t until = ~std::size_t{}) const;
    double worst_speed(std::size_t who, base to) const;

    /// The table of ratios, then what it comes to.
    void tell(bench::report& out) const;
    /// A line for each cell and contestant; the first is write_heading's.
    void write_csv(std::ostream& to) const;
    static void write_heading(std::ostream& to);
    /// Mean speeds over bytes.
    program::chart drawn() const;

private:
    /// us; 0 if it has none
    double time_of(std::size_t who, std::size_t c) const;
    /// The fastest MPI there; all_.size() if none has been timed.
    std::size_t best(std::size_t c) const;
    void tell_ratios(bench::report& out, base to) const;
    void tell_times(bench::report& out) const;
    bool is_rated(std::size_t who, base to) const;
    /// Descending by how badly it did.
    std::vector<std::size_t> ordered(std::size_t who, base to) const;
    std::string text_of(std::size_t c) const;

    int ranks_;
    const std::vector<contestant>& all_;
    const std::vector<cell>& cells_;
    statistic counts_;
    std::vector<std::vector<std::vector<double>>> times_; ///< by contestant, by cell, us
};

} // namespace contest
