// SPDX-License-Identifier: BSL-1.0
// labels: optimised
// What holes do to the direct strategies on fat-trees: on_slots keeps every round free of congestion, compact
// ranks do not; and which strategies need no whole partitions.
#include <tutti/topology/congestion.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/kprefix.hpp>
#include <tutti/schedule/allgather/kshift.hpp>
#include <tutti/schedule/allgather/prefix_send.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/alltoall/kprefix.hpp>
#include <tutti/schedule/alltoall/kshift.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/prefix_send.hpp>
#include <tutti/schedule/flow_control.hpp>
#include <tutti/schedule/on_slots.hpp>
#include <tutti/topology/fat_tree_routing.hpp>

#include "support/catch2.hpp"
#include "support/holes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

template <collective C = collective::allgather, class Strategy>
schedule_congestion congestion(const routed_fat_tree& net, const placement& where, const Strategy& how) {
    return congestion_of_schedule(net, where,
                                  [&](place at) { return any_generator(generate(of<C>, how, at)); });
}

/// Whether all rounds of a strategy that keeps its slots are free of congestion, under both routings.
template <class Strategy, collective C = collective::allgather>
bool free_on_slots(const fat_tree& tree, const std::vector<node_type>& missing, const Strategy& how = {}) {
    const placement where = placement::compact(tree.nodes(), missing);
    for (const fat_tree_routing routing : all_fat_tree_routings) {
        const schedule_congestion c = congestion<C>(routed_fat_tree(tree, routing), where,
                                                    on_slots<Strategy>{.how = how, .slots = where.slots()});
        if (c.worst.max_load > 1 || c.free_rounds != c.busy_rounds) return false;
    }
    return true;
}

} // namespace

TEMPLATE_TEST_CASE("on_slots is free of congestion for every way to lack up to 3 of 16 nodes",
                   "[topology][holes][on_slots]", direct, prefix_send) {
    const fat_tree net = fat_tree::kary(4, 2);
    for_each_few_holes(16, 3, [&](const std::vector<node_type>& missing) {
        CAPTURE(missing);
        REQUIRE(free_on_slots<TestType>(net, missing));
    });
}

TEMPLATE_TEST_CASE("on_slots is free of congestion whatever is missing of 64 and 256 nodes",
                   "[topology][holes][on_slots]", direct, prefix_send) {
    std::mt19937 random(64256);
    const fat_tree three = fat_tree::kary(4, 3);
    for (int turn = 0; turn < 40; ++turn) REQUIRE(free_on_slots<TestType>(three, some_holes(64, random)));
    const fat_tree four = fat_tree::kary(4, 4);
    for (int turn = 0; turn < 10; ++turn) REQUIRE(free_on_slots<TestType>(four, some_holes(256, random)));
}

TEST_CASE("on_slots kprefix is free of congestion wherever the holes are", "[topology][holes][kprefix]") {
    const fat_tree two = fat_tree::kary(4, 2);
    for_each_few_holes(16, 3, [&](const std::vector<node_type>& missing) {
        CAPTURE(missing);
        for (const rank_type k : {2, 4, 8}) REQUIRE(free_on_slots(two, missing, kprefix{.k = k}));
    });
    std::mt19937 random(64256);
    const fat_tree three = fat_tree::kary(4, 3);
    const fat_tree four = fat_tree::kary(4, 4);
    for (int turn = 0; turn < 20; ++turn)
        for (const rank_type k : {1, 2, 4, 8, 16, 32, 64}) {
            CAPTURE(turn, k);
            REQUIRE(free_on_slots(three, some_holes(64, random), kprefix{.k = k}));
            if (k == 8) REQUIRE(free_on_slots(four, some_holes(256, random), kprefix{.k = k}));
        }
}

TEST_CASE("on_slots kprefix is free of congestion on trees of other powers of two",
          "[topology][holes][kprefix]") {
    std::mt19937 random(2816);
    for (const fat_tree& tree : {fat_tree::kary(2, 6), fat_tree::kary(8, 2), fat_tree::kary(16, 2)})
        for (int turn = 0; turn < 5; ++turn)
            for (const rank_type k : {2, 4, 8, 16}) {
                CAPTURE(tree.nodes(), turn, k);
                REQUIRE(free_on_slots(tree, some_holes(tree.nodes(), random), kprefix{.k = k}));
                REQUIRE(free_on_slots(tree, {}, kprefix{.k = k}));
            }
}

TEST_CASE("an alltoall on_slots is free of congestion whatever is missing", "[topology][holes][alltoall]") {
    constexpr collective what = collective::alltoall;
    std::mt19937 random(64256);
    for (const fat_tree& tree : {fat_tree::kary(4, 3), fat_tree::kary(2, 5), fat_tree::kary(8, 2)})
        for (int turn = 0; turn < 5; ++turn) {
            const std::vector<node_type> missing = some_holes(tree.nodes(), random);
            CAPTURE(tree.nodes(), missing);
            REQUIRE(free_on_slots<pairwise, what>(tree, missing));
            REQUIRE(free_on_slots<prefix_send, what>(tree, missing));
            for (const rank_type k : {1, 2, 4, 8, 16})
                REQUIRE(free_on_slots<kprefix, what>(tree, missing, {.k = k}));
            for (const rank_type k : {1, 3, 8}) REQUIRE(free_on_slots<kshift, what>(tree, missing, {.k = k}));
        }
}

TEST_CASE("compact ranks are not free of congestion: that is what on_slots is for",
          "[topology][holes][on_slots]") {
    const routed_fat_tree net(fat_tree::kary(4, 3));
    const placement one_missing = placement::compact(64, {20});
    const schedule_congestion compact = congestion(net, one_missing, direct{});
    CHECK(compact.worst.max_load == 2);
    CHECK(compact.free_rounds == 14); // of 62
    // One round more, and every one costs half as much.
    const schedule_congestion kept =
        congestion(net, one_missing, on_slots<direct>{.how = {}, .slots = one_missing.slots()});
    CHECK(kept.serial_load == 63);
    CHECK(compact.serial_load == 2 * 62 - 14);
}

TEST_CASE("under flow control a link carries as many blocks as may be outstanding, at most",
          "[topology][holes][flow_control]") {
    const routed_fat_tree net(fat_tree::kary(4, 2));
    const placement where = placement::compact(16, {3, 10});
    for (const std::int64_t outstanding : {1, 2, 3}) {
        const flow_controlled<on_slots<direct>> how{
            {.how = {}, .slots = where.slots()}, outstanding, 4, synchronise::everybody};
        // The messages by which ranks come into step are empty and weigh nothing.
        const schedule_congestion c = congestion_of_schedule(
            net, where, [&](place at) { return generate(of<collective::allgather>, how, at); },
            block_layout::even(14, 14));
        CHECK(c.worst.max_bytes == outstanding);
    }
}

TEST_CASE("kprefix and prefix_send are free of congestion on the first p nodes, for any p and k",
          "[topology][kprefix][prefix_send]") {
    const routed_fat_tree net(fat_tree::kary(4, 4));
    for (rank_type size = 2; size <= 70; ++size) {
        CAPTURE(size);
        const placement where = placement::compact(256, size, {});
        for (const rank_type k : {1, 2, 4, 8, 16, 32, 64})
            REQUIRE(congestion(net, where, kprefix{.k = k}).worst.max_load == 1);
        REQUIRE(congestion(net, where, prefix_send{}).worst.max_load == 1);
        REQUIRE(congestion<collective::alltoall>(net, where, prefix_send{}).worst.max_load == 1);
    }
    for (const rank_type size : {96, 127, 129, 192, 240, 255, 256})
        REQUIRE(congestion(net, placement::compact(256, size, {}), kprefix{}).worst.max_load == 1);
}

TEST_CASE("an alltoall is free of congestion on full trees of powers of two, in every order and for any k",
          "[topology][alltoall]") {
    constexpr collective what = collective::alltoall;
    for (const fat_tree& tree : {fat_tree::kary(4, 2), fat_tree::kary(4, 3), fat_tree::kary(4, 4),
                                 fat_tree::kary(2, 6), fat_tree::kary(8, 2), fat_tree::kary(16, 2)})
        for (const rank_type k : {1, 2, 4, 8, 16, 64}) {
            CAPTURE(tree.nodes(), k);
            REQUIRE(free_on_slots<kprefix, what>(tree, {}, {.k = k}));
            REQUIRE(free_on_slots<kshift, what>(tree, {}, {.k = k}));
            if (k > 1) continue;
            REQUIRE(free_on_slots<prefix_send, what>(tree, {}));
            REQUIRE(free_on_slots<pairwise, what>(tree, {}));
        }
}

TEST_CASE("kshift for k = 1, 2, 3, 4, 8 is free of congestion on full trees, as the paper says",
          "[topology][kshift]") {
    for (const int levels : {2, 3, 4}) {
        const routed_fat_tree net(fat_tree::kary(4, levels));
        const placement all = placement::compact(net.nodes());
        for (const rank_type k : {1, 2, 3, 4, 8}) {
            CHECK(congestion(net, all, kshift{.k = k}).worst.max_load == 1);
            CHECK(congestion<collective::alltoall>(net, all, kshift{.k = k}).worst.max_load == 1);
        }
    }
}

TEST_CASE("table 1: with a hole kshift meets congestion in fewer rounds than kprefix and prefix_send",
          "[topology][holes][kshift]") {
    const routed_fat_tree net(fat_tree::kary(4, 4));
    std::mt19937 random(128);
    for (const node_type nodes : {128, 256}) // a half of the machine and all of it
        for (int turn = 0; turn < 10; ++turn) {
            const auto hole = static_cast<node_type>(random() % static_cast<unsigned>(nodes));
            CAPTURE(nodes, hole);
            const placement where = placement::compact(256, nodes - 1, {hole});
            const auto congested = [&](const auto& how) {
                const schedule_congestion c = congestion(net, where, how);
                return c.busy_rounds - c.free_rounds;
            };
            const round_index shifting = congested(kshift{});
            CHECK(shifting < congested(kprefix{}));
            CHECK(congested(kprefix{}) < congested(prefix_send{}));
            CHECK(4 * shifting < nodes); // the smaller part of its rounds
            CHECK(congested(ring{}) == 0);
        }
}
