// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/neighbor_pairs.hpp>

#include <limits>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;
using side = neighbor_pairs::side;

namespace {
constexpr side other(side s) { return s == side::left ? side::right : side::left; }
} // namespace

TEST_CASE("pairs cover all ranks; only the last of an odd number is alone", "[pattern][neighbor_pairs]") {
    for (rank_type size = 1; size <= 40; ++size) {
        const neighbor_pairs pairs(size);
        block_index next = 0;
        for (rank_type m = 0; m < pairs.count(); ++m) {
            const block_set pair = pairs.pair(m);
            CHECK(pair.first == next);
            CHECK((pair.count == 1) == pairs.alone(static_cast<rank_type>(pair.first)));
            next += pair.count;
        }
        CHECK(next == size);
    }
}

TEST_CASE("what goes out on one side comes in on the other", "[pattern][neighbor_pairs]") {
    for (rank_type size = 2; size <= 40; ++size) {
        const neighbor_pairs pairs(size);
        for (rank_type m = 0; m < pairs.count(); ++m)
            for (const side s : {side::left, side::right})
                for (std::int64_t i = 1; i < pairs.count(); ++i) {
                    // In odd rounds the peer is in the next pair on that side, in even rounds in the same; it
                    // looks the other way in both cases.
                    const rank_type hop = i % 2 == 0 ? 0 : static_cast<rank_type>(s);
                    const rank_type peer = mod(m + hop, pairs.count());
                    REQUIRE(pairs.sent(m, s, i) == pairs.received(peer, other(s), i));
                }
    }
}

TEST_CASE("what is sent is the own pair first and then what came the round before",
          "[pattern][neighbor_pairs]") {
    for (rank_type size = 2; size <= 40; ++size) {
        const neighbor_pairs pairs(size);
        for (rank_type m = 0; m < pairs.count(); ++m)
            for (const side s : {side::left, side::right}) {
                std::vector<bool> has(static_cast<std::size_t>(pairs.count()));
                has[static_cast<std::size_t>(m)] = true;
                for (std::int64_t i = 1; i < pairs.count(); ++i) {
                    REQUIRE(pairs.sent(m, s, i) == (i == 1 ? m : pairs.received(m, s, i - 1)));
                    const auto got = static_cast<std::size_t>(pairs.received(m, s, i));
                    REQUIRE(!has[got]); // nothing comes twice
                    has[got] = true;
                }
            }
    }
}

TEST_CASE("neighbours are at distance 1 on the ring, in the largest world too", "[pattern][neighbor_pairs]") {
    static_assert(neighbor_pairs(5).neighbor(0, side::left) == 4);
    static_assert(neighbor_pairs(5).neighbor(3, side::right) == 4);
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    const neighbor_pairs pairs(size);
    CHECK(pairs.count() == size / 2 + 1);
    CHECK(pairs.alone(size - 1));
    CHECK(pairs.neighbor(size - 1, side::right) == 0);
    CHECK(pairs.pair(pairs.count() - 1) == block_set{.first = size - 1, .count = 1});
    CHECK(pairs.received(0, side::left, 1) == pairs.count() - 1);
}
