// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "examples/tutti/json.hpp"
#include "examples/tutti/verbs.hpp"
#include "support/catch2.hpp"
#include "support/json.hpp"

/// Runs the program `tutti` without a process of its own.
namespace support {

struct answer {
    int code = -1;
    std::string out;
    std::string err;
};

/// With the words of a line.
inline answer tutti_program(const std::string& line, program::algorithms catalogue = tutti::catalogue(),
                            long width = 0) {
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; in >> word;) words.push_back(word);
    std::ostringstream out;
    std::ostringstream err;
    program::line_width(out) = program::line_width(err) = width;
    program::surroundings with{.out = out, .err = err, .terminal = false, .catalogue = catalogue};
    const int code = program::run_program(words, with);
    return {code, out.str(), err.str()};
}

/// Whether an object has the members that say which program made it.
inline void check_origin(const json& object, const std::string& verb) {
    CHECK(object["program"].text == "tutti");
    CHECK(object["version"].text == program::version_text());
    CHECK(object["schema"].text == std::to_string(program::json_schema));
    CHECK(object["verb"].text == verb);
}

/// The rows of a JSON answer, all of them flat objects with the same keys.
inline std::vector<json> rows_of(const answer& a, const std::string& verb,
                                 const std::vector<std::string>& keys) {
    const json whole = read_json(a.out);
    REQUIRE(whole.members.size() >= 5);
    check_origin(whole, verb);
    REQUIRE(whole["rows"].what == json::kind::array);
    std::vector<json> result;
    for (const json_member& m : whole["rows"].members) {
        REQUIRE(m.value.what == json::kind::object);
        REQUIRE(m.value.members.size() == keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) REQUIRE(m.value.members[i].name == keys[i]);
        result.push_back(m.value);
    }
    return result;
}

/// The rows of the JSON answer to a line, whatever their columns are.
inline std::vector<json> rows_of(const std::string& line) {
    const answer a = tutti_program(line + " --json");
    INFO(line << "\n" << a.err);
    REQUIRE(a.code == 0);
    const json whole = read_json(a.out);
    std::vector<json> rows;
    for (const json_member& row : whole["rows"].members) rows.push_back(row.value);
    return rows;
}

/// What somebody sees at a terminal where the words of a line are typed, who waits for nothing: the progress
/// line comes at once.
struct seen {
    int code = -1;
    std::string written; ///< all that came
    std::string screen;  ///< what is there in the end
};

inline seen at_terminal(const std::string& line, long width = 0) {
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; in >> word;) words.push_back(word);
    std::ostringstream both;
    program::line_width(both) = width;
    program::surroundings with{
        .out = both, .err = both, .terminal = true, .patience = std::chrono::milliseconds(0)};
    const int code = program::run_program(words, with);
    // Carriage return, and erasing to the end of the line: all that the program asks of a terminal.
    std::string screen;
    std::size_t column = 0;
    const std::string written = both.str();
    for (std::size_t i = 0; i < written.size(); ++i) {
        const std::size_t begin = screen.rfind('\n') + 1; // of the last line; npos + 1 is 0
        if (written[i] == '\r') {
            column = 0;
        } else if (written.compare(i, 3, "\033[K") == 0) {
            screen.resize(begin + column);
            i += 2;
        } else if (written[i] == '\n') {
            screen += '\n';
            column = 0;
        } else {
            if (begin + column < screen.size())
                screen[begin + column] = written[i];
            else
                screen += written[i];
            ++column;
        }
    }
    return {code, written, screen};
}

} // namespace support
