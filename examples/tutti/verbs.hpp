// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "arguments.hpp"
#include "selection.hpp"
#include "table.hpp"

namespace program {

/// Where a verb writes to, and what it works on.
struct surroundings {
    std::ostream& out;
    std::ostream& err;
    bool terminal = false;                    ///< whether somebody watches `err`
    std::chrono::milliseconds patience{1000}; ///< how long somebody likes to wait without a word
    algorithms catalogue = tutti::catalogue();
};

/// How the program ends.
enum class outcome : int { fine = 0, check_failed = 1, bad_arguments = 2 };

/// A verb of the program. A new one is a file with its definition, a line below and one in program.cpp.
struct verb {
    std::string_view name;
    std::string_view summary; ///< one line
    std::string_view details; ///< lines for --help: the columns, the ending
    std::span<const option> options;
    outcome (*run)(const arguments&, surroundings&);
};

extern const verb list_verb;
extern const verb verify_verb;
extern const verb run_verb;
extern const verb bench_verb;
extern const verb congestion_verb;
extern const verb cost_verb;
extern const verb choose_verb;
extern const verb show_verb;
extern const verb simulate_verb;
extern const verb calibrate_verb;
extern const verb tune_verb;

inline constexpr option json_option{"--json", "", "print one JSON object instead of a table"};
inline constexpr option each_option{"--each", "",
                                    "one line of the table per case, however many (JSON always does that)"};

inline bool is_folded(const table& t, const arguments& given) {
    constexpr std::size_t most_unfolded = 60;
    return !given.has("--each") && t.rows().size() > most_unfolded;
}

/// Prints as --json and --each say; without them a table of more than 60 rows is folded.
/// `more`: members of the JSON object behind the rows.
inline void print(const table& t, std::string_view verb_name, const arguments& given, std::ostream& out,
                  std::string_view more = {}) {
    if (given.has("--json"))
        t.print_json(out, verb_name, more);
    else
        t.print(out, is_folded(t, given));
}

/// The whole program: verb and options in, exit code out.
int run_program(std::span<const std::string> words, surroundings& with);

} // namespace program
