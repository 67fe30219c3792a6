// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/exchanges.hpp>

#include <algorithm>
#include <set>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::set<block_index> listed(const block_pieces& pieces, block_index blocks) {
    std::set<block_index> all;
    for (std::size_t k = 0; k < pieces.size(); ++k)
        for (block_index i = 0; i < pieces[k].count; ++i)
            REQUIRE(all.insert(block_at(pieces[k], i, blocks)).second);
    return all;
}

/// Numbers have what they and their partners had before, never the same, and in the end all of it.
template <class Exchanges>
void check_spread() {
    for (rank_type size = 1; size <= 70; ++size) {
        const survivors group(size);
        block_index busiest = 0;
        for (rank_type number = 0; number < group.power(); ++number) {
            std::set<block_index> has{group.rank_of(number)};
            if (number < group.extra()) has.insert(group.rank_of(number) + 1);
            block_index sent = 0;
            for (int i = 0; i < group.levels(); ++i) {
                const block_pieces held = Exchanges::held(number, i, group);
                REQUIRE(listed(held, size) == has);
                sent += static_cast<block_index>(has.size());
                const rank_type partner = Exchanges::partner(number, i, group.levels());
                REQUIRE(Exchanges::partner(partner, i, group.levels()) == number);
                REQUIRE(Exchanges::is_left(number, i, group.levels())
                        != Exchanges::is_left(partner, i, group.levels()));
                for (const block_index b : listed(Exchanges::held(partner, i, group), size))
                    REQUIRE(has.insert(b).second);
            }
            REQUIRE(has.size() == static_cast<std::size_t>(size));
            if (number < group.extra() || group.extra() == 0) busiest = std::max(busiest, sent);
        }
        REQUIRE(Exchanges::sent(group) == busiest);
    }
}

} // namespace

TEST_CASE("exchanges at distance 1, 2, 4, ... bring all blocks to all", "[pattern][exchanges]") {
    check_spread<doubling_exchanges>();
}

TEST_CASE("exchanges at distance ..., 4, 2, 1 bring all blocks to all", "[pattern][exchanges]") {
    check_spread<halving_exchanges>();
}

TEST_CASE("exchanges at the distances of swing bring all blocks to all", "[pattern][exchanges]") {
    check_spread<swing_exchanges>();
}

TEST_CASE("what the busiest of swing sends is right for larger sizes, too", "[pattern][exchanges]") {
    for (const rank_type size : {129, 130, 167, 171, 200, 213, 255, 300, 341, 511}) {
        const survivors group(size);
        block_index busiest = 0;
        for (rank_type number = 0; number < group.extra(); ++number) {
            block_index sent = 0;
            for (int i = 0; i < group.levels(); ++i) {
                const block_pieces held = swing_exchanges::held(number, i, group);
                for (std::size_t k = 0; k < held.size(); ++k) sent += held[k].count;
            }
            busiest = std::max(busiest, sent);
        }
        CHECK(swing_exchanges::sent(group) == busiest);
    }
}

TEST_CASE("the examples with 5 ranks", "[pattern][exchanges]") {
    const survivors group(5);
    using blocks = std::set<block_index>;
    CHECK(listed(doubling_exchanges::held(1, 1, group), 5) == blocks{0, 1, 2});
    CHECK(listed(doubling_exchanges::held(3, 1, group), 5) == blocks{3, 4});
    CHECK(listed(halving_exchanges::held(0, 1, group), 5) == blocks{0, 1, 3});
    CHECK(listed(halving_exchanges::held(3, 1, group), 5) == blocks{2, 4});
    CHECK(listed(swing_exchanges::held(3, 1, group), 5) == blocks{0, 1, 4});
    CHECK(listed(swing_exchanges::held(1, 1, group), 5) == blocks{2, 3});
}

TEST_CASE("classes of the largest world do not overflow", "[pattern][exchanges]") {
    const survivors group((rank_type{1} << 30) + 7);
    const block_pieces own = halving_exchanges::held(3, 0, group);
    REQUIRE(own.size() == 1);
    CHECK(own[0] == block_set{.first = 6, .count = 2});
    const block_pieces half = halving_exchanges::held((1 << 30) - 1, 29, group);
    REQUIRE(half.size() == 2);
    CHECK(half[0].count + half[1].count == (1 << 29) + 3);
    const block_pieces two = swing_exchanges::held(9, 1, group);
    CHECK(two.size() == 2);
}
