// SPDX-License-Identifier: BSL-1.0
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include "verbs.hpp"

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    program::surroundings here{.out = std::cout, .err = std::cerr, .terminal = isatty(STDERR_FILENO) == 1};
    return program::run_program(given, here);
}
