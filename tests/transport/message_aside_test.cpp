// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/message_aside.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/catch2.hpp"

using tutti::detail::message_aside;

TEST_CASE("what is appended to a message that is aside is its content, and only that", "[transport]") {
    message_aside one;
    const std::vector<std::byte> part(1000, std::byte{3});
    for (int k = 0; k < 10; ++k) one.append(part);
    CHECK(one.content().size() == 10'000);
    CHECK(std::count(one.content().begin(), one.content().end(), std::byte{3}) == 10'000);
    const std::byte* const memory = one.content().data();
    one.clear(); // and keeps its memory
    CHECK(one.content().empty());
    one.append(part);
    CHECK(one.content().size() == 1000);
    CHECK(one.content().data() == memory);
}
