// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <tutti/simulate/event_queue.hpp>
#include <tutti/simulate/fifo_table.hpp>
#include <tutti/simulate/random_numbers.hpp>
#include <tutti/simulate/waiting_messages.hpp>

#include "support/catch2.hpp"

namespace {

using namespace tutti;
using detail::event;
using detail::event_kind;
using detail::event_queue;

event at(ticks time, std::uint64_t order, rank_type host = 0) {
    return {.time = time, .order_and_kind = event::ordered(order, event_kind::fresh), .host = host};
}

TEST_CASE("an event keeps order and kind apart") {
    for (const event_kind k :
         {event_kind::send, event_kind::recv, event_kind::calc, event_kind::fresh, event_kind::again})
        for (const std::uint64_t order : {std::uint64_t{0}, std::uint64_t{77}, std::uint64_t{1} << 60}) {
            const event e{.order_and_kind = event::ordered(order, k)};
            CHECK(e.order() == order);
            CHECK(e.kind() == k);
        }
}

const auto ignore = [](const event&) {};

/// Against an ordered set: inserts `fan` events for each that it takes, some of them put back, at distances
/// that `distance` gives.
template <class Distance>
void check_against_set(int fan, const Distance& distance) {
    event_queue queue;
    std::set<std::pair<ticks, std::uint64_t>> expected;
    random_numbers random(1, 2);
    std::uint64_t order = 0;
    const auto insert = [&](ticks time, std::uint64_t number) {
        queue.push(at(time, number));
        expected.emplace(time, number);
    };
    for (int i = 0; i < 300; ++i) insert(distance(random), order++);
    event e;
    int taken = 0;
    while (queue.pop(e, ignore)) {
        REQUIRE(!expected.empty());
        REQUIRE(*expected.begin() == std::pair(e.time, e.order()));
        expected.erase(expected.begin());
        if (++taken > 20000) continue;
        if (random.below(3) == 0)
            insert(e.time + distance(random), e.order()); // put back
        else
            for (int i = 0; i < fan; ++i) insert(e.time + distance(random), order++);
    }
    CHECK(expected.empty());
    CHECK(taken > 300);
}

TEST_CASE("events come by time and, at equal times, by order, however they were inserted") {
    SECTION("few times, many events at each") {
        check_against_set(1, [](random_numbers& r) { return 4'000'000 * (1 + r.below(2)); });
    }
    SECTION("all times different") {
        check_against_set(1, [](random_numbers& r) { return 1 + r.below(5'000'000); });
    }
    SECTION("short and very long ways") {
        check_against_set(2, [](random_numbers& r) { return 1 + (r.below(100) << r.below(40)); });
    }
    SECTION("now again") {
        check_against_set(1, [](random_numbers& r) { return r.below(4) == 0 ? 1'000 : ticks{0}; });
    }
}

TEST_CASE("an older event inserted for this very moment comes before those that wait for it") {
    event_queue queue;
    for (std::uint64_t order = 5; order <= 8; ++order) queue.push(at(10, order));
    event e;
    REQUIRE(queue.pop(e, ignore));
    CHECK(e.order() == 5);
    queue.push(at(10, 4)); // a receive that had its place
    queue.push(at(10, 9));
    queue.push(at(10, 3));
    std::vector<std::uint64_t> orders;
    while (queue.pop(e, ignore)) orders.push_back(e.order());
    CHECK(orders == std::vector<std::uint64_t>{3, 4, 6, 7, 8, 9});
}

TEST_CASE("what comes soon is told, and no more than a few times") {
    event_queue queue;
    random_numbers random(7, 8);
    std::map<std::uint64_t, int> told;
    for (std::uint64_t order = 0; order < 1000; ++order)
        queue.push(at(order < 500 ? 5'000'000 : 6'000'000 + random.below(1'000'000), order));
    event e;
    int unheard_of = 0;
    while (queue.pop(e, [&](const event& soon) { ++told[soon.order()]; }))
        unheard_of += told.count(e.order()) == 0;
    CHECK(unheard_of < 200); // the first of a chunk
    for (const auto& [order, times] : told) CHECK(times <= 4);
}

TEST_CASE("a table of queues keeps the order of every pair, as a map of queues does") {
    detail::fifo_table<std::int64_t> table;
    std::map<std::pair<rank_type, rank_type>, std::deque<std::int64_t>> expected;
    random_numbers random(3, 4);
    std::size_t size = 0;
    for (std::int64_t i = 0; i < 100000; ++i) {
        const auto host = static_cast<rank_type>(random.below(40));
        const auto peer = static_cast<rank_type>(random.below(40));
        auto& queue = expected[{host, peer}];
        // Grows, then shrinks to nothing, and grows again.
        if (random.below(100) < (i / 20000 % 2 == 0 ? 60 : 30)) {
            table.push(host, peer, i);
            queue.push_back(i);
            ++size;
        } else {
            std::int64_t value = -1;
            REQUIRE(table.pop(host, peer, value) == !queue.empty());
            if (!queue.empty()) {
                REQUIRE(value == queue.front());
                queue.pop_front();
                --size;
            }
        }
        REQUIRE(table.size() == size);
        REQUIRE(table.empty() == (size == 0));
    }
    std::set<std::pair<rank_type, rank_type>> pairs;
    table.for_each_pair([&](rank_type host, rank_type peer) { CHECK(pairs.emplace(host, peer).second); });
    for (const auto& [pair, queue] : expected) CHECK(pairs.count(pair) == (queue.empty() ? 0 : 1));
}

TEST_CASE("of waiting messages one with the lowest order is always in front") {
    detail::waiting_messages waiting;
    random_numbers random(5, 6);
    std::set<std::uint64_t> in_front; // put back by itself
    std::set<std::uint64_t> behind;
    std::uint64_t order = 0;
    for (int i = 0; i < 5000; ++i) {
        if (random.below(2) == 0 || in_front.empty()) {
            // Mostly rising, as without a network, but not always.
            const std::uint64_t number = 3 * order++ + static_cast<std::uint64_t>(random.below(40));
            if (in_front.count(number) + behind.count(number) > 0) continue;
            (waiting.represents(at(0, number)) ? in_front : behind).insert(number);
        } else {
            REQUIRE((behind.empty() || *in_front.begin() < *behind.begin()));
            in_front.erase(in_front.begin()); // taken
            event next;
            REQUIRE(waiting.next(next) == !behind.empty());
            if (!behind.empty()) {
                REQUIRE(next.order() == *behind.begin());
                behind.erase(behind.begin());
                in_front.insert(next.order());
            }
        }
    }
}

} // namespace
