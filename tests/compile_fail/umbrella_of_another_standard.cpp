// SPDX-License-Identifier: BSL-1.0
// with: -std=c++17
// expect GNU: error: #error "tutti needs C\+\+20: -std=c\+\+20"
// expect Clang: error: "tutti needs C\+\+20: -std=c\+\+20"
// expect Clang: 1 error generated
// Who forgets the option, which GCC and Clang need, is told so, and not by thousands of errors.
#include <tutti/tools.hpp>

int main() {}
