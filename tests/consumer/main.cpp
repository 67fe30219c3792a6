// SPDX-License-Identifier: BSL-1.0
#include <tutti/tutti.hpp>

int main() {
    // Two ranks that swap a message: enough to need the headers, C++20 and what they include.
    const tutti::step there = tutti::step::send(1, {.first = 0, .count = 1});
    return there.is_message() && tutti::collective_named("allreduce") == tutti::collective::allreduce ? 0 : 1;
}
