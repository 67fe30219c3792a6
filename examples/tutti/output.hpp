// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tutti/core/error.hpp>

#include "verbs.hpp"

namespace program {

inline constexpr option output_option{"--output", "FILE", "write there instead of to standard output"};

/// All of it, or an error that names the option whose value `path` is.
inline void write_file(std::string_view option_name, const std::string& path, const std::string& text) {
    std::ofstream file(path);
    if (!file)
        throw tutti::argument_error(std::string(option_name), "'" + path + "'", "a file that can be written");
    file << text << std::flush;
    if (!file) throw std::runtime_error("'" + path + "' could not be written");
}

/// make(), whose limits (of ranks, messages, links in a picture) are followed by what to do about them.
template <class Make>
auto advised(const char* what_to_do, Make&& make) {
    try {
        return make();
    } catch (const tutti::argument_error& e) {
        if (!e.allowed().starts_with("at most ")) throw;
        throw tutti::argument_error(e.argument(), e.value(), e.allowed() + "; " + what_to_do);
    }
}

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
    write_file("--output", std::string(given.value("--output", "")), text.str());
}

} // namespace program
