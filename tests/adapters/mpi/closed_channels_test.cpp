// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/closed_channels.hpp>

#include "support/catch2.hpp"

TEST_CASE("channels are closed up to the last one of their communicator, across the wrap", "[mpi]") {
    constexpr tutti::channel_type second = 1U << 20; // of the communicator with context 1
    tutti::mpi::closed_channels closed;
    CHECK_FALSE(closed.has(0));
    closed.add(7);
    CHECK(closed.has(0));
    CHECK(closed.has(7));
    CHECK_FALSE(closed.has(8));
    CHECK_FALSE(closed.has(second + 3));
    closed.add(second + 3);
    CHECK(closed.has(second + 3));
    CHECK_FALSE(closed.has(second + 4));
    CHECK_FALSE(closed.has(8));
    closed.add(second - 1); // the last number there is
    CHECK(closed.has(second - 1));
    CHECK_FALSE(closed.has(0)); // the next call
    closed.add(0);
    CHECK(closed.has(second - 1));
    CHECK(closed.has(0));
    CHECK_FALSE(closed.has(1));
}
