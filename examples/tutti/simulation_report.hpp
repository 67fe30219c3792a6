// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ostream>
#include <span>
#include <string>

#include <tutti/simulate/result.hpp>

/// What a simulation found, in words.
namespace program {

/// A line per activity: from when until when, which rank, what.
void print_activities(std::span<const tutti::activity> all, std::ostream& out);

/// The critical path, with how much of it is what.
void print_path(const tutti::simulation_result& result, std::ostream& out);

/// The critical path for programs: an array of objects, with times in microseconds.
std::string path_json(const tutti::simulation_result& result);

/// How many of the times lie where: at most 20 rows.
void print_histogram(std::span<const tutti::ticks> times, std::ostream& out);

} // namespace program
