// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/awaited_messages.hpp>

#include "support/catch2.hpp"

TEST_CASE("of the receives of a channel from a peer, the one that was started first is next", "[mpi]") {
    tutti::mpi::awaited_messages all(3);
    const auto first = all.add(1, 7);
    const auto other_channel = all.add(1, 8);
    const auto second = all.add(1, 7);
    const auto other_peer = all.add(2, 7);
    CHECK(all.is_first(1, 7, first));
    CHECK(all.is_first(1, 8, other_channel));
    CHECK_FALSE(all.is_first(1, 7, second));
    CHECK(all.is_first(2, 7, other_peer));
    all.remove(1, first);
    CHECK(all.is_first(1, 7, second));
    all.remove(1, second);
    CHECK_FALSE(all.is_first(1, 7, second));
    CHECK(all.is_first(1, 8, other_channel));
}

TEST_CASE("who has not waited for long asks nobody, and takes no answer for an end yet", "[mpi]") {
    tutti::mpi::awaited_messages all(2);
    bool asked = false;
    const auto ask = [&](tutti::rank_type, tutti::channel_type) { asked = true; };
    all.add(1, 7);
    all.look_in_vain(0, 9);
    CHECK(all.ask_after_long(true, ask) == tutti::no_rank);
    CHECK_FALSE(asked);
}
