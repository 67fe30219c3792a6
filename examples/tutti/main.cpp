// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "verbs.hpp"

namespace {

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// What COLUMNS asks for, which shells tell programs only if somebody wants them to; or that of the terminal;
/// or 0. Words and columns do not fit in less than 20 characters.
long width_at(int file) {
    constexpr long least = 20;
    long width = std::strtol(environment("COLUMNS").c_str(), nullptr, 10);
    if (winsize window{}; width <= 0 && ioctl(file, TIOCGWINSZ, &window) == 0) width = window.ws_col;
    return width > 0 ? std::clamp(width, least, 100000L) : 0;
}

} // namespace

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    program::surroundings here{.out = std::cout, .err = std::cerr, .terminal = isatty(STDERR_FILENO) == 1};
    program::line_width(std::cout) = width_at(STDOUT_FILENO);
    program::line_width(std::cerr) = width_at(STDERR_FILENO);
    // https://no-color.org: whatever it says
    if (isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb")
        program::may_be_bold(std::cout) = 1;
    return program::run_program(given, here);
}
