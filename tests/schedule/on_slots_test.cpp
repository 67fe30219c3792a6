// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/on_slots.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/prefix_send.hpp>
#include <tutti/schedule/alltoall/kprefix.hpp>
#include <tutti/schedule/alltoall/kshift.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/prefix_send.hpp>
#include <tutti/schedule/flow_control.hpp>

#include "support/holes.hpp"
#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

template <class Strategy>
generator_factory make(const slot_map& slots) {
    return factory_of<on_slots<Strategy>, collective::allgather>({.how = {}, .slots = slots});
}

template <class Strategy, collective C = collective::allgather>
void check_on(const slot_map& slots, const Strategy& how = {}) {
    const auto make = factory_of<on_slots<Strategy>, C>({.how = how, .slots = slots});
    const proof p = check_proved(C, slots.ranks(), 0, make);
    CHECK(p.rounds == generate(of<C>, how, {.size = slots.slots()}).rounds());
    CHECK(p.sent_blocks == slots.ranks() - 1);
    CHECK(p.max_outstanding <= 2);
}

/// An alltoall by everything that goes straight.
void check_alltoall_on(const slot_map& slots) {
    constexpr collective what = collective::alltoall;
    check_on<pairwise, what>(slots);
    check_on<prefix_send, what>(slots);
    check_on<kprefix, what>(slots, {.k = 4});
    check_on<kshift, what>(slots, {.k = 3});
}

} // namespace

TEMPLATE_TEST_CASE("on_slots is proved for every way to lack up to 3 of 16 nodes",
                   "[schedule][allgather][on_slots]", direct, prefix_send) {
    int subsets = 0;
    for_each_few_holes(16, 3, [&](const std::vector<rank_type>& missing) {
        CAPTURE(missing);
        check_on<TestType>(slots_without(16, missing));
        ++subsets;
    });
    CHECK(subsets == 1 + 16 + 120 + 560);
}

TEMPLATE_TEST_CASE("on_slots is proved for nodes that lack any number of 64 and 256",
                   "[schedule][allgather][on_slots]", direct, prefix_send) {
    std::mt19937 random(64256);
    for (int turn = 0; turn < 40; ++turn) check_on<TestType>(slots_without(64, some_holes(64, random)));
    for (int turn = 0; turn < 10; ++turn) check_on<TestType>(slots_without(256, some_holes(256, random)));
}

TEMPLATE_TEST_CASE("on_slots is proved for ranks in any order on the slots",
                   "[schedule][allgather][on_slots]", direct, prefix_send) {
    std::mt19937 random(5);
    for (int turn = 0; turn < 20; ++turn) {
        std::vector<rank_type> order(21);
        std::iota(order.begin(), order.end(), rank_type{0});
        for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
        order.resize(1 + random() % order.size());
        check_on<TestType>(slot_map(21, order));
    }
}

TEST_CASE("on_slots is proved for an alltoall, whatever goes straight and wherever the holes are",
          "[schedule][alltoall][on_slots]") {
    for_each_few_holes(16, 2, [&](const std::vector<rank_type>& missing) {
        CAPTURE(missing);
        check_alltoall_on(slots_without(16, missing));
    });
    std::mt19937 random(64256);
    for (int turn = 0; turn < 10; ++turn) check_alltoall_on(slots_without(61, some_holes(61, random)));
    check_alltoall_on(slot_map(12, {7, 3, 11, 0, 4})); // in any order
    check_alltoall_on(slot_map(5, {3}));               // one rank alone
    for (const std::int64_t outstanding : {2, 100})
        check_proved(collective::alltoall, 5, 0,
                     factory_of<flow_controlled<on_slots<prefix_send>>, collective::alltoall>(
                         {{.how = {}, .slots = slot_map(8, {0, 1, 3, 4, 7})}, outstanding, 3}));
}

TEST_CASE("on_slots keeps kprefix going wherever the holes are", "[schedule][allgather][on_slots][kprefix]") {
    const auto check = [](const slot_map& slots, rank_type k) {
        const auto make =
            factory_of<on_slots<kprefix>, collective::allgather>({.how = {.k = k}, .slots = slots});
        const proof p = check_proved(collective::allgather, slots.ranks(), 0, make);
        CHECK(p.max_outstanding <= 2);
        CHECK(p.received_blocks == slots.ranks() - 1);
        if (slots.slots() >= k) CHECK(p.rounds == ceil_div(slots.slots(), k) * k - 1);
    };
    for_each_few_holes(16, 3, [&](const std::vector<rank_type>& missing) {
        CAPTURE(missing);
        for (const rank_type k : {1, 2, 4, 8, 16}) check(slots_without(16, missing), k);
    });
    std::mt19937 random(44);
    for (int turn = 0; turn < 20; ++turn)
        for (const rank_type k : {1, 4, 8, 64, 128})
            for (const rank_type slots : {64, 61, 100})
                check(slots_without(slots, some_holes(slots, random)), k);
    for (int turn = 0; turn < 5; ++turn) check(slots_without(256, some_holes(256, random)), 8);
    check(slot_map(64, {40}), 8);
    check(slot_map(64, {40, 8}), 8);
    check(slot_map(12, {7, 3, 11, 0, 4}), 4); // in any order
}

TEST_CASE("on_slots kprefix sends to the lane that the round says",
          "[schedule][allgather][on_slots][kprefix]") {
    std::mt19937 random(45);
    for (int turn = 0; turn < 20; ++turn) {
        const slot_map slots = slots_without(64, some_holes(64, random));
        const auto ranks = all_ranks(slots.ranks(), factory_of<on_slots<kprefix>, collective::allgather>(
                                                        {.how = {.k = 8}, .slots = slots}));
        for (round_index i = 0; i < ranks[0].rounds(); ++i) {
            const auto messages = one_block_round(ranks, i);
            REQUIRE(messages);
            for (const carried& m : *messages)
                REQUIRE(slots.slot_of(m.to) % 8
                        == (i % 8 < 7 ? slots.slot_of(m.from) % 8 ^ (i % 8 + 1) : slots.slot_of(m.from) % 8));
        }
    }
}

TEST_CASE("on_slots without holes is the strategy itself", "[schedule][allgather][on_slots]") {
    for (const rank_type size : {1, 2, 5, 16}) {
        const slot_map all = slots_without(size, {});
        CHECK(schedule_text(size, 0, make<direct>(all))
              == schedule_text(size, 0, factory_of<direct, collective::allgather>()));
        CHECK(schedule_text(size, 0, make<prefix_send>(all))
              == schedule_text(size, 0, factory_of<prefix_send, collective::allgather>()));
        CHECK(schedule_text(size, 0, make<kprefix>(all))
              == schedule_text(size, 0, factory_of<kprefix, collective::allgather>()));
    }
}

TEST_CASE("on_slots: every round is a part of one permutation of the slots",
          "[schedule][allgather][on_slots]") {
    const slot_map slots = slots_without(16, {2, 7, 8, 13});
    const auto straight = all_ranks(slots.ranks(), make<direct>(slots));
    const auto prefix = all_ranks(slots.ranks(), make<prefix_send>(slots));
    for (rank_type i = 0; i < 15; ++i) {
        const auto shifted = one_block_round(straight, i);
        const auto exchanged = one_block_round(prefix, i);
        REQUIRE(shifted);
        REQUIRE(exchanged);
        for (const carried& m : *shifted) {
            CHECK(mod(slots.slot_of(m.to) - slots.slot_of(m.from), 16) == i + 1);
            CHECK(m.block == m.from);
        }
        for (const carried& m : *exchanged) CHECK((slots.slot_of(m.to) ^ slots.slot_of(m.from)) == i + 1);
    }
}

TEST_CASE("on_slots: 3 ranks on slots 0, 1, 3 of 4", "[schedule][allgather][on_slots]") {
    CHECK(schedule_text(3, 0, make<direct>(slot_map(4, {0, 1, 3})))
          == "0.0: send 1 [0]; recv 2 [2]\n"
             "0.2: send 2 [0]; recv 1 [1]\n"
             "1.0: recv 0 [0]\n"
             "1.1: send 2 [1]; recv 2 [2]\n"
             "1.2: send 0 [1]\n"
             "2.0: send 0 [2]\n"
             "2.1: send 1 [2]; recv 1 [1]\n"
             "2.2: recv 0 [0]\n");
}

TEST_CASE("on_slots under flow control is proved, too", "[schedule][allgather][on_slots][flow_control]") {
    const auto prove_paced = [](const slot_map& slots, std::int64_t outstanding, std::int64_t pace,
                                synchronise with) {
        check_proved(collective::allgather, slots.ranks(), 0,
                     factory_of<flow_controlled<on_slots<direct>>, collective::allgather>(
                         {{.how = {}, .slots = slots}, outstanding, pace, with}));
        check_proved(collective::allgather, slots.ranks(), 0,
                     factory_of<flow_controlled<on_slots<prefix_send>>, collective::allgather>(
                         {{.how = {}, .slots = slots}, outstanding, pace, with}));
        check_proved(collective::allgather, slots.ranks(), 0,
                     factory_of<flow_controlled<on_slots<kprefix>>, collective::allgather>(
                         {{.how = {.k = 4}, .slots = slots}, outstanding, pace, with}));
    };
    for_each_few_holes(16, 2, [&](const std::vector<rank_type>& missing) {
        CAPTURE(missing);
        const slot_map slots = slots_without(16, missing);
        for (const synchronise with : {synchronise::neighbours, synchronise::everybody}) {
            prove_paced(slots, 1, 1, with);
            prove_paced(slots, 4, 8, with);
            prove_paced(slots, 100, 0, with);
        }
    });
    prove_paced(slot_map(5, {3}), 2, 2, synchronise::neighbours); // one rank alone
    prove_paced(slot_map(5, {3, 0}), 2, 2, synchronise::neighbours);
}

TEST_CASE("on_slots refuses a number of ranks that is not the slots'", "[schedule][allgather][on_slots]") {
    const on_slots<direct> how{.how = {}, .slots = slot_map(8, {0, 1, 3, 4, 7})};
    CHECK_THROWS_AS(generate(of<collective::allgather>, how, {.rank = 0, .size = 8}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::allgather>, how, {.rank = 0, .size = 4}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::allgather>, how, {.rank = 5, .size = 5}), argument_error);
    const on_slots<kprefix> other{.how = {}, .slots = how.slots};
    CHECK_THROWS_AS(generate(of<collective::allgather>, other, {.rank = 0, .size = 8}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::allgather>, other, {.rank = -1, .size = 5}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::allgather>,
                             on_slots<kprefix>{.how = {.k = 3}, .slots = how.slots}, {.rank = 0, .size = 5}),
                    argument_error);
    try {
        (void)generate(of<collective::allgather>, how, {.rank = 0, .size = 8});
    } catch (const argument_error& e) {
        CHECK(e.argument() == "size");
        CHECK(e.value() == "8");
        CHECK(e.allowed() == "5, the number of ranks on the slots");
    }
}
