// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/one_message.hpp>

#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("pieces of one message are joined, and those without blocks none of it",
          "[schedule][one_message]") {
    const step one = step::send(3, {.first = 1, .count = 2});
    const step two = step::send(3, {.first = 5, .count = 1}, buffer_name::scratch);
    std::vector<step> steps;
    auto keep = [&](const step& s) { steps.push_back(s); };
    detail::one_message message(keep);
    message.add(step::send(3, {}));
    message.add(one);
    CHECK(steps.empty());
    message.add(step::send(3, {}));
    message.add(two);
    message.add(one);
    message.end();
    CHECK(steps == std::vector{one.and_next(), two.and_next(), one});

    steps.clear();
    detail::one_message none(keep);
    none.add(step::send(3, {}));
    none.end();
    CHECK(steps.empty());
}
