// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/connection.hpp>

#include <cstddef>

#include "support/catch2.hpp"

using tutti::detail::connection;
using tutti::detail::copies_at_once;
using tutti::detail::ticket_type;

TEST_CASE("a copy is known to be free when its message is known to be consumed", "[transport]") {
    connection c; // has no mailbox to look at
    const auto takes = [&](std::size_t copy, ticket_type t) {
        return c.knows_room_for_copy() && c.room_for_copy(t) == copy;
    };
    for (std::size_t copy = 0; copy < copies_at_once; ++copy) CHECK(takes(copy, 10 + copy)); // unused ones
    CHECK_FALSE(c.knows_room_for_copy());
    c.consumed_by_peer = 10; // all before the message in the first one
    CHECK_FALSE(c.knows_room_for_copy());
    c.consumed_by_peer = 12;
    CHECK(takes(0, 18));
    CHECK(takes(1, 19));
    CHECK_FALSE(c.knows_room_for_copy());
}
