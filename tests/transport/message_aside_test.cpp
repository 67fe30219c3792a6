// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/message_aside.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/catch2.hpp"

using tutti::detail::message_aside;
using tutti::detail::messages_aside;

TEST_CASE("what is appended to a message that is aside is its content, and only that", "[transport]") {
    messages_aside all;
    const std::vector<std::byte> part(1000, std::byte{3});
    message_aside& one = all.add();
    for (int k = 0; k < 10; ++k) one.append(part, 10'000);
    CHECK(one.content().size() == 10'000);
    CHECK(std::count(one.content().begin(), one.content().end(), std::byte{3}) == 10'000);
    const std::byte* const memory = one.content().data();
    all.remove(all.find(&one));
    message_aside& next = all.add(); // has its memory
    CHECK(next.content().empty());
    next.append(part, 1000);
    CHECK(next.content().size() == 1000);
    CHECK(next.content().data() == memory);
}

TEST_CASE("who says that very much will come gets memory for what has come", "[transport]") {
    messages_aside all;
    const std::vector<std::byte> part(1000);
    message_aside& one = all.add();
    for (int k = 0; k < 3; ++k) one.append(part, ~std::size_t{0} / 2);
    CHECK(one.content().size() == 3000);
    one.append({}, ~std::size_t{0} / 2);
    CHECK(one.content().size() == 3000);
}

TEST_CASE("messages that are aside keep their order", "[transport]") {
    messages_aside all;
    message_aside* const list[] = {&all.add(), &all.add(), &all.add()};
    CHECK(all.find(list[1]) == std::next(all.begin()));
    CHECK(all.remove(all.find(list[1])) == all.find(list[2]));
    CHECK(all.find(list[1]) == all.end());
    CHECK((&*all.begin() == list[0] && &*std::next(all.begin()) == list[2]));
}
