// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ostream>
#include <span>
#include <vector>

#include <tutti/simulate/result.hpp>

/// What a simulation found, in words.
namespace program {

/// A line per activity: from when until when, which rank, what.
void print_activities(std::span<const tutti::activity> all, std::ostream& out);

/// The critical path, with how much of it is what.
void print_path(const tutti::simulation_result& result, std::ostream& out);

/// How many of the values, in microseconds, lie where: a row for each, or 20 ranges if there are more.
void print_histogram(std::vector<double> values_us, std::ostream& out);

} // namespace program
