// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/meeting_orders.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include <tutti/pattern/permutation.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// Everybody meets every other rank once, and receives from whoever sends.
template <class Order, class... Options>
void check_meets_all(rank_type size, Options... options) {
    CAPTURE(size);
    std::vector<Order> all;
    for (rank_type r = 0; r < size; ++r) all.push_back(Order({.rank = r, .size = size}, options...));
    const auto of = [&all](rank_type r) -> const Order& { return all[static_cast<std::size_t>(r)]; };
    for (rank_type r = 0; r < size; ++r) {
        std::set<rank_type> met;
        for (round_index i = 0; i < of(r).rounds(); ++i) {
            const rank_type to = of(r).to(i);
            if (to != no_rank) {
                REQUIRE(to != r);
                REQUIRE(met.insert(to).second);
                REQUIRE(of(to).from(i) == r);
            }
            if (const rank_type from = of(r).from(i); from != no_rank) REQUIRE(of(from).to(i) == r);
        }
        REQUIRE(met.size() == static_cast<std::size_t>(size - 1));
    }
}

template <class Order>
std::vector<rank_type> met_by(const Order& order) {
    std::vector<rank_type> peers;
    for (round_index i = 0; i < order.rounds(); ++i) peers.push_back(order.to(i));
    return peers;
}

const std::vector<rank_type> powers{1, 2, 4, 8, 16, 64, 1 << 30};

} // namespace

TEST_CASE("in every order every rank meets all others once", "[pattern][meeting_orders]") {
    for (rank_type size = 1; size <= 70; ++size) {
        check_meets_all<cyclic_order>(size);
        check_meets_all<prefix_order>(size);
        for (const rank_type k : powers) check_meets_all<lane_order>(size, k);
        for (const rank_type k : {1, 2, 3, 5, 8, 69, 1000}) check_meets_all<window_order>(size, k);
    }
}

TEST_CASE("round i of the cyclic order is the shift by i + 1, of the prefix order the exclusive or with it",
          "[pattern][meeting_orders]") {
    for (const rank_type size : {2, 5, 16, 33})
        for (rank_type r = 0; r < size; ++r) {
            const place at{.rank = r, .size = size};
            for (rank_type i = 0; i < size - 1; ++i) {
                CHECK(cyclic_order(at).to(i) == shift{i + 1}(r, size));
                CHECK(prefix_order(at).to(i) == exclusive_or{i + 1}(r, size));
            }
        }
}

TEST_CASE("lanes: one partition is the prefix order, partitions of one are the cyclic order",
          "[pattern][meeting_orders]") {
    for (const rank_type size : {1, 2, 5, 16, 33})
        for (rank_type r = 0; r < size; ++r) {
            const place at{.rank = r, .size = size};
            CHECK(met_by(lane_order(at, 64)) == met_by(prefix_order(at)));
            CHECK(met_by(lane_order(at, 1)) == met_by(cyclic_order(at)));
        }
}

TEST_CASE("5 ranks in lanes of 2 and windows of 3", "[pattern][meeting_orders]") {
    CHECK(met_by(lane_order({.rank = 0, .size = 5}, 2)) == std::vector<rank_type>{1, 2, 3, 4, no_rank});
    CHECK(met_by(lane_order({.rank = 3, .size = 5}, 2)) == std::vector<rank_type>{2, no_rank, 4, 1, 0});
    CHECK(met_by(prefix_order({.rank = 4, .size = 5}))
          == std::vector<rank_type>{no_rank, no_rank, no_rank, 0, 1, 2, 3});
    const window_order windows({.rank = 0, .size = 5}, 3);
    CHECK(met_by(windows) == std::vector<rank_type>{4, 1, 3, 2});
    CHECK(windows.holder(2) == 0);
    CHECK(windows.holder(3) == 3);
}

TEST_CASE("the busiest rank of a round in lanes meets two, if anybody does", "[pattern][meeting_orders]") {
    for (rank_type size = 2; size <= 70; ++size)
        for (const rank_type k : powers) {
            const lane_order first({.size = size}, k);
            for (round_index i = 0; i < first.rounds(); ++i) {
                const lane_order busiest({.rank = first.busiest(i), .size = size}, k);
                CAPTURE(size, k, i);
                REQUIRE(busiest.to(i) != no_rank);
                REQUIRE(busiest.from(i) != no_rank);
            }
        }
}

TEST_CASE("one rank is the busiest of all that is taken together, or it is told that none is",
          "[pattern][meeting_orders]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (const rank_type k : powers) {
            const lane_order order({.rank = 0, .size = size}, k);
            if (order.stage() > 64) continue;
            for (round_index width = 1; width <= order.stage(); ++width) {
                CAPTURE(size, k, width);
                bool same = true;
                for (round_index first = 0; first < order.rounds(); ++first) {
                    const round_index within = first % order.stage(); // where a part of a stage begins
                    if (within % width != 0) continue;
                    const round_index left = std::min(order.stage() - within, order.rounds() - first);
                    for (round_index i = 1; i < std::min(width, left); ++i)
                        same = same && order.busiest(first + i) == order.busiest(first);
                }
                const bool all_at_once = width > order.rounds(); // then everybody meets all
                REQUIRE(order.same_busiest(width) == (same || all_at_once));
            }
        }
}

TEST_CASE("lanes of the largest world", "[pattern][meeting_orders]") {
    constexpr rank_type largest = std::numeric_limits<rank_type>::max();
    const prefix_order prefix({.rank = largest - 1, .size = largest});
    CHECK(prefix.rounds() == (std::int64_t{1} << 31) - 1);
    CHECK(prefix.to(largest - 2) == 0);
    CHECK(prefix.to(0) == no_rank); // there is none with the last bit set
    CHECK(lane_order({.rank = 0, .size = largest}, 1 << 30).to(largest - 1) == no_rank);
    CHECK(lane_order({.rank = 0, .size = largest}, 1 << 30).to(largest - 2) == largest - 1);
    CHECK(lanes(largest, 2).partitions() == 1 << 30);
}

TEST_CASE("lanes are a power of two, windows have a rank at least", "[pattern][meeting_orders]") {
    for (const rank_type k : {0, -1, 3, 6, std::numeric_limits<rank_type>::max()})
        CHECK_THROWS_AS(lane_order({.size = 4}, k), argument_error);
    CHECK_THROWS_AS(window_order({.size = 4}, 0), argument_error);
    CHECK_THROWS_AS(cyclic_order({.rank = 4, .size = 4}), argument_error);
    CHECK_THROWS_AS(lane_order({.rank = 4, .size = 4}, 2), argument_error);
    CHECK_THROWS_AS(prefix_order({.size = 0}), argument_error);
}
