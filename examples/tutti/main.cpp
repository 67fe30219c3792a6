// SPDX-License-Identifier: BSL-1.0
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "verbs.hpp"

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    program::surroundings here{.out = std::cout, .err = std::cerr, .terminal = isatty(STDERR_FILENO) == 1};
    if (winsize window{}; ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) // a terminal
        program::line_width(std::cout) = window.ws_col;
    const auto set = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    // https://no-color.org: whatever it says
    if (isatty(STDOUT_FILENO) == 1 && set("NO_COLOR").empty() && set("TERM") != "dumb")
        program::may_be_bold(std::cout) = 1;
    return program::run_program(given, here);
}
