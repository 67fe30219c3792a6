// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/multicast/serial.hpp>

#include <vector>

#include "support/catch2.hpp"
#include "support/multicasts.hpp"
#include "support/relations.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a rank begins with its next target and awaits first who sends to it first",
          "[schedule][multicast]") {
    const relation all = relation::all_to_all(5);
    std::vector<rank_type> sent, received;
    multicast_serial(all, {.rank = 3, .size = 5}).emit(0, [&](const step& s) {
        (s.kind == step_kind::send ? sent : received).push_back(s.peer);
        CHECK(s.blocks.first == (s.kind == step_kind::send ? 3 : s.peer));
        CHECK(s.blocks.count == 1);
    });
    CHECK(sent == std::vector<rank_type>{4, 0, 1, 2});
    CHECK(received == std::vector<rank_type>{2, 1, 0, 4});
}

TEST_CASE("the multicast in one round is proved and sends a message per pair", "[schedule][multicast]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (const relation& who : support::some_relations(size, 11)) {
            CAPTURE(size, who.pairs());
            const generator_factory make = multicast_of(serial{}, who);
            const proof p = check_proved(who, make);
            CHECK(p.rounds == (who.pairs() > 0 ? 1 : 0));
            CHECK(make({.size = size}).claims().uniform_rounds == (who.is_all_to_all() ? p.rounds : 0));
            CHECK(traffic_of(size, who, make).messages == who.pairs());
        }
}
