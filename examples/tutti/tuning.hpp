// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/decision_table.hpp>
#include <tutti/tune/measure_choices.hpp>

#include "arguments.hpp"

/// What `tutti tune` and mpi_tune have in common: what they are told, and where their table goes.
namespace program {

inline constexpr option measured_option{"--collective", "NAMES", "what to measure; all by default"};
inline constexpr option longest_option{"--longest", "BYTES", "the longest vector, 4K..1G; 4M by default"};
inline constexpr option budget_option{"--budget", "SECONDS",
                                      "for each collective, size and length; 0.1 by default"};
inline constexpr option measured_algorithms_option{
    "--candidates", "WHICH",
    "catalogue: all algorithms; winners: those that the tables that ship may take, which alone are compiled "
    "for calls that name none; catalogue by default, with --defaults winners"};
inline constexpr option output_option{"--output", "FILE", "write a decision table there"};

/// What is to be measured.
struct tuning {
    std::vector<tutti::collective> wanted;
    std::vector<tutti::rank_type> sizes; ///< ascending
    std::int64_t longest = 0;            ///< bytes
    double budget = 0;                   ///< seconds for each cell
    tutti::measured_ones among = tutti::measured_ones::catalogue;

    /// For the sizes that are told.
    std::vector<tutti::candidate> ways(tutti::collective what) const;

    /// Collectives by sizes by lengths.
    std::size_t cells() const;
};

/// As --collective, --size, --longest, --budget, --candidates and, if there is one, --defaults say.
tuning tuning_of(const arguments& given, number_range sizes, std::string_view default_sizes);

/// The file that --output names, if it is given: refused at once if it cannot be written, and left as it is
/// until a table is there.
class table_file {
public:
    explicit table_file(const arguments& given);

    void write(const tutti::decision_table& table) const;

private:
    std::string path_; // empty: nowhere
};

} // namespace program
