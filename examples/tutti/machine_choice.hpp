// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/model/machine.hpp>

#include "arguments.hpp"

/// On which machine: options that the verbs share which ask what something costs.
namespace program {

inline constexpr option machine_option{"--machine", "NAME|FILE",
                                       "one of the built-in machines, or a machine file; threads by default"};
inline constexpr option operation_option{"--operation", "NAME",
                                         "the operation, on machines whose folds differ: int32-add, .."};

/// A file of machines/, compiled into the program.
struct built_in_machine {
    std::string_view name;
    std::string_view text;
};
std::span<const built_in_machine> built_in_machines();

/// Their names, in alphabetical order.
std::vector<std::string_view> machine_names();

/// By --machine and --operation. Throws tutti::machine_file_error for a file that is none.
tutti::machine chosen_machine(const arguments& given);

/// What of this many ranks and bytes the machine was not measured with, so that prices are guesses: "16 ranks
/// (2 were measured)"; for machines that were measured and say how.
std::vector<std::string> beyond_measured(const tutti::machine& on, std::int64_t ranks, std::int64_t bytes);

/// What is said with prices of this many ranks and bytes: the machine, where it is from, and what it was not
/// measured with.
struct priced_on {
    const tutti::machine& on;
    std::int64_t ranks;
    std::int64_t bytes;

    std::string lines() const;        ///< for people
    std::string remark() const;       ///< behind a title: "; beyond what was measured: ...", or nothing
    std::string json_members() const; ///< behind other members: begins with a comma
};

/// For what only that model can do: simulate. Throws argument_error for a machine with another model.
tutti::loggops loggops_of(const tutti::machine& on);

} // namespace program
