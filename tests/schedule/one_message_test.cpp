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

TEST_CASE("blocks that come one by one go as few pieces, of one message or each a step by itself",
          "[schedule][one_message]") {
    std::vector<step> steps;
    auto keep = [&](const step& s) { steps.push_back(s); };
    const auto joined = [&](const step& s, const std::vector<block_index>& blocks) {
        steps.clear();
        detail::joined_blocks pieces(s, keep);
        for (const block_index b : blocks) pieces.add(b);
        pieces.end();
        return steps;
    };
    const step whole = step::send(3, {.first = 0, .count = 9});
    const step first = step::send(3, {.first = 1, .count = 2});
    const step last = step::send(3, {.first = 0, .count = 1});
    CHECK(joined(whole, {1, 2, 0}) == std::vector{first.and_next(), last});
    CHECK(joined(whole.and_next(), {1, 2, 0}) == std::vector{first.and_next(), last.and_next()});
    CHECK(joined(whole, {}) == std::vector{step::send(3, {})});
    const auto copy = [](block_set blocks) {
        return step::copy(blocks, buffer_name::input, buffer_name::work);
    };
    CHECK(joined(copy({}), {4, 6, 7}) == std::vector{copy({4, 1}), copy({6, 2})});
}
