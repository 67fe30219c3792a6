// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <tutti/core/error.hpp>

#include "verbs.hpp"

namespace program {

inline constexpr option output_option{"--output", "FILE", "write there instead of to standard output"};

/// print(stream) to where --output says. A file that is there already is given up only when all of it has
/// been made.
template <class Print>
void write_output(const arguments& given, surroundings& with, Print&& print) {
    if (!given.has("--output")) {
        print(with.out);
        return;
    }
    std::ostringstream text;
    print(static_cast<std::ostream&>(text));
    const std::string path(given.value("--output", ""));
    std::ofstream file(path);
    if (!file) throw tutti::argument_error("--output", "'" + path + "'", "a file that can be written");
    file << text.str() << std::flush;
    if (!file) throw std::runtime_error("'" + path + "' could not be written");
}

} // namespace program
