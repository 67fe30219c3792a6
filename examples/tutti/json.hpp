// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include <tutti/version.hpp>

/// What the program prints for programs.
namespace program {

/// Counts up when a name in what is printed goes, or gets another meaning; not when one comes.
inline constexpr int json_schema = 1;

/// A text as JSON has it, with its quotes.
inline std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            std::array<char, 8> buffer{};
            std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(c));
            result += buffer.data();
        } else {
            result += c;
        }
    }
    return result + '"';
}

/// "0.1.0"
inline std::string version_text() {
    return std::to_string(TUTTI_VERSION_MAJOR)
        .append(".")
        .append(std::to_string(TUTTI_VERSION_MINOR))
        .append(".")
        .append(std::to_string(TUTTI_VERSION_PATCH));
}

/// The members of an object that say what it is and which verb made it.
inline std::string json_origin(std::string_view verb) {
    return "\"program\": \"tutti\", \"version\": " + in_quotes(version_text())
           + ", \"schema\": " + std::to_string(json_schema) + ", \"verb\": " + in_quotes(verb);
}

/// How the object begins that a verb prints: with those, without the brace at the end.
inline std::string json_heading(std::string_view verb) { return '{' + json_origin(verb); }

} // namespace program
