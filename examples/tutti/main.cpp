// SPDX-License-Identifier: BSL-1.0
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
    return program::run_program(given, here);
}
