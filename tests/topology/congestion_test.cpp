// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/congestion.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/pattern/permutation.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/topology/fat_tree_routing.hpp>

#include "support/catch2.hpp"
#include "support/scripted.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

struct tally_of_shifts {
    int free = 0;
    std::int64_t worst = 0;
    friend bool operator==(const tally_of_shifts&, const tally_of_shifts&) = default;
};

/// All shifts by 1..p-1 of the ranks of a placement.
tally_of_shifts all_shifts(const routed_fat_tree& net, const placement& where) {
    round_loads<routed_fat_tree> loads(net, where);
    tally_of_shifts result;
    for (rank_type k = 1; k < where.ranks(); ++k) {
        loads.clear();
        loads.add_permutation(shift{k});
        result.free += loads.figures().free();
        result.worst = std::max(result.worst, loads.figures().max_load);
    }
    return result;
}

/// `many` different nodes of 0..nodes-1, the same for the same state of `random` everywhere.
std::vector<node_type> some_nodes(std::mt19937& random, node_type nodes, std::size_t many) {
    std::set<node_type> chosen;
    while (chosen.size() < many)
        chosen.insert(static_cast<node_type>(random() % static_cast<std::uint32_t>(nodes)));
    return {chosen.begin(), chosen.end()};
}

std::vector<rank_type> shuffled(std::mt19937& random, rank_type size) {
    std::vector<rank_type> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = all.size(); i-- > 1;) std::swap(all[i], all[random() % (i + 1)]);
    return all;
}

const auto ring_allgather = [](place at) { return generate(of<collective::allgather>, ring{}, at); };

template <class Call>
std::string refused(const Call& call) {
    try {
        call();
    } catch (const argument_error& e) {
        return e.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("on the 4-ary 3-tree all 63 shifts and all 63 xors have load 1 under D-mod-k and S-mod-k",
          "[topology][congestion]") {
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const routed_fat_tree net(fat_tree::kary(4, 3), how);
        const placement full = placement::compact(64);
        CAPTURE(name_of(how));
        for (rank_type k = 1; k < 64; ++k) {
            const round_congestion by_shift = congestion_of_permutation(net, full, shift{k});
            CHECK(by_shift.max_load == 1);
            CHECK(by_shift.messages == 64);
            const round_congestion by_xor = congestion_of_permutation(net, full, exclusive_or{k});
            CHECK(by_xor.max_load == 1);
            CHECK(by_xor.max_hops == (k < 4 ? 2 : k < 16 ? 4 : 6));
            CHECK(by_xor.hops == 64 * by_xor.max_hops); // xor maps the tree to itself: all go equally far
        }
    }
}

TEST_CASE("on every full k-ary n-tree all shifts are free of congestion", "[topology][congestion]") {
    for (std::int32_t k = 2; k <= 16; ++k)
        for (int n = 1; power(k, n) <= 256; ++n)
            for (const fat_tree_routing how : all_fat_tree_routings) {
                const routed_fat_tree net(fat_tree::kary(k, n), how);
                CAPTURE(k, n, name_of(how));
                CHECK(all_shifts(net, placement::compact(net.nodes()))
                      == tally_of_shifts{net.nodes() - 1, 1});
            }
}

TEST_CASE("one missing node of 64, whichever, leaves 14 of the 62 shifts of compact ranks free",
          "[topology][congestion]") {
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const routed_fat_tree net(fat_tree::kary(4, 3), how);
        for (node_type missing = 0; missing < 64; ++missing)
            CHECK(all_shifts(net, placement::compact(64, {missing})) == tally_of_shifts{14, 2}); // 23 %
    }
}

TEST_CASE("sixteen missing nodes of 64 leave a tenth of the shifts free; the worst load is 2, seldom 3",
          "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(4, 3));
    std::mt19937 random(16);
    int free = 0;
    std::map<std::int64_t, int> worst;
    for (int i = 0; i < 100; ++i) {
        const tally_of_shifts t = all_shifts(net, placement::compact(64, some_nodes(random, 64, 16)));
        free += t.free;
        ++worst[t.worst];
    }
    CHECK((free > 47 * 6 && free < 47 * 11)); // of 47 * 100
    CHECK(worst.size() == 2);
    CHECK(worst[2] > 80);
    CHECK(worst[3] > 0);

    // Not the number of holes does it, but where they are: one in every switch, and the rest is a full tree.
    std::vector<node_type> one_each;
    for (node_type v = 0; v < 64; v += 4) one_each.push_back(v);
    CHECK(all_shifts(net, placement::compact(64, one_each)) == tally_of_shifts{47, 1});
}

TEST_CASE("the shift by 1 is free of congestion under any holes", "[topology][congestion]") {
    std::mt19937 random(1);
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const routed_fat_tree net(fat_tree::kary(4, 3), how);
        for (std::size_t missing = 0; missing <= 62; ++missing)
            for (int i = 0; i < 10; ++i) {
                const placement where = placement::compact(64, some_nodes(random, 64, missing));
                REQUIRE(congestion_of_permutation(net, where, shift{1}).free());
                REQUIRE(congestion_of_permutation(net, where, shift{-1}).free());
            }
    }
}

TEST_CASE("contiguous jobs of whole subtrees keep all shifts free, others lose most",
          "[topology][congestion]") {
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const routed_fat_tree net(fat_tree::kary(4, 3), how);
        const auto job = [&net](rank_type p) { return all_shifts(net, placement::compact(64, p, {})); };
        CHECK(job(48) == tally_of_shifts{47, 1});
        CHECK(job(32) == tally_of_shifts{31, 1});
        CHECK(job(40) == tally_of_shifts{24, 2});
        CHECK(job(50) == tally_of_shifts{10, 2});
        CHECK(job(17) == tally_of_shifts{7, 2});
    }
}

TEST_CASE("whoever keeps slots and skips holes keeps every shift and xor free", "[topology][congestion]") {
    std::mt19937 random(5);
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const routed_fat_tree net(fat_tree::kary(4, 3), how);
        for (const std::size_t missing : {1U, 2U, 16U, 40U}) {
            const placement where = placement::compact(64, some_nodes(random, 64, missing));
            for (rank_type k = 1; k < 64; ++k) {
                const auto on_slots_by = [&where](const auto& permutation) {
                    return [&where, permutation](rank_type r, rank_type) {
                        return where.rank_at(permutation(where.node_of(r), where.nodes()));
                    };
                };
                REQUIRE(congestion_of_permutation(net, where, on_slots_by(shift{k})).free());
                REQUIRE(congestion_of_permutation(net, where, on_slots_by(exclusive_or{k})).free());
            }
        }
    }
}

TEST_CASE("a random permutation of 64 nodes puts 3 messages on its worst link", "[topology][congestion]") {
    std::mt19937 random(64);
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const routed_fat_tree net(fat_tree::kary(4, 3), how);
        std::int64_t sum = 0;
        for (int i = 0; i < 500; ++i) {
            const permutation_table to(shuffled(random, 64));
            sum += congestion_of_permutation(net, placement::compact(64), to).max_load;
        }
        CHECK((sum > 500 * 29 / 10 && sum < 500 * 33 / 10));
    }
}

TEST_CASE("a tree slimmed 2:1 has load 2 in every shift that crosses the slim level much",
          "[topology][congestion]") {
    for (const fat_tree_routing how : all_fat_tree_routings) {
        const placement full = placement::compact(16);
        // Two links up from every switch of four nodes.
        const routed_fat_tree slim(fat_tree({4, 4}, {1, 2}), how);
        for (rank_type k = 1; k < 16; ++k) {
            const bool few_cross = k <= 2 || k >= 14; // so many of a switch's four nodes leave it
            CHECK(congestion_of_permutation(slim, full, shift{k}).max_load == (few_cross ? 1 : 2));
        }
        // Two links per node, four up from each of the two switches above it: richer than full.
        const routed_fat_tree rich(fat_tree({4, 4}, {2, 4}), how);
        CHECK(all_shifts(rich, full) == tally_of_shifts{15, 1});
        // A plain binary tree: all of a half's eight messages over one link.
        const routed_fat_tree thin(fat_tree({2, 2, 2, 2}, {1, 1, 1, 1}), how);
        CHECK(congestion_of_permutation(thin, full, shift{8}).max_load == 8);
    }
}

TEST_CASE("the examples of the documentation: 5 ranks on the 2-ary 3-tree", "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(2, 3));
    const round_congestion by_two =
        congestion_of_permutation(net, placement::compact(8, {2, 5, 6}), shift{2});
    CHECK(by_two
          == round_congestion{.messages = 5, .max_load = 1, .max_bytes = 1, .hops = 28, .max_hops = 6});

    const schedule_congestion round_a_ring =
        congestion_of_schedule(net, placement::compact(8, 5, {}), ring_allgather);
    REQUIRE(round_a_ring.rounds.size() == 4);
    for (const round_congestion& r : round_a_ring.rounds)
        CHECK(r == round_congestion{.messages = 5, .max_load = 1, .max_bytes = 1, .hops = 20, .max_hops = 6});
}

TEST_CASE("a message to oneself or to nobody is none", "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(2, 3));
    CHECK(congestion_of_permutation(net, placement::compact(8), shift{8}) == round_congestion{});
    CHECK(congestion_of_permutation(net, placement::compact(8, 5, {}), exclusive_or{1}).messages == 4);
}

TEST_CASE("figures and loads are those of the messages written out one by one", "[topology][congestion]") {
    const routed_fat_tree net(fat_tree({4, 3, 2}, {2, 1, 3}), fat_tree_routing::s_mod_k);
    std::mt19937 random(24);
    const placement where = placement::on_nodes(24, shuffled(random, 24));
    round_loads<routed_fat_tree> loads(net, where, true);
    for (int round = 0; round < 20; ++round) {
        loads.clear();
        std::vector<std::int64_t> messages(static_cast<std::size_t>(net.links()));
        std::vector<std::int64_t> bytes(static_cast<std::size_t>(net.links()));
        round_congestion expected;
        for (int i = 0; i < 3 * round; ++i) {
            const auto from = static_cast<rank_type>(random() % 24);
            const auto to = static_cast<rank_type>(random() % 24);
            const auto weight = static_cast<std::int64_t>(random() % 1000);
            loads.add(from, to, weight);
            if (from == to) continue;
            int hops = 0;
            net.route(where.node_of(from), where.node_of(to), [&](link_index link) {
                ++messages[static_cast<std::size_t>(link)];
                bytes[static_cast<std::size_t>(link)] += weight;
                ++hops;
            });
            ++expected.messages;
            expected.hops += hops;
            expected.max_hops = std::max(expected.max_hops, hops);
        }
        expected.max_load = *std::max_element(messages.begin(), messages.end());
        expected.max_bytes = *std::max_element(bytes.begin(), bytes.end());
        CHECK(loads.figures() == expected);
        for (link_index link = 0; link < net.links(); ++link) {
            REQUIRE(loads.messages().load(link) == messages[static_cast<std::size_t>(link)]);
            REQUIRE(loads.bytes().load(link) == bytes[static_cast<std::size_t>(link)]);
        }
    }
}

TEST_CASE("every round of a schedule is counted: a ring is free everywhere, circulant rounds are shifts",
          "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(4, 3));
    const auto circulant_allgather = [](place at) {
        return any_generator(generate(of<collective::allgather>, circulant{}, at));
    };
    std::mt19937 random(11);
    for (const std::size_t missing : {0U, 1U, 2U, 16U, 59U}) {
        const placement where = placement::compact(64, some_nodes(random, 64, missing));
        const schedule_congestion round_a_ring = congestion_of_schedule(net, where, ring_allgather);
        CHECK(round_a_ring.busy_rounds == where.ranks() - 1);
        CHECK(round_a_ring.free_rounds == where.ranks() - 1);
        CHECK(round_a_ring.serial_load == where.ranks() - 1);
        CHECK(round_a_ring.worst.messages == where.ranks());

        const schedule_congestion skips = congestion_of_schedule(net, where, circulant_allgather);
        REQUIRE(static_cast<int>(skips.rounds.size()) == ceil_log2(where.ranks()));
        std::int64_t sum = 0;
        rank_type skip = where.ranks();
        for (std::size_t i = skips.rounds.size(); i-- > 0;) { // the longest skip last
            skip = ceil_div(skip, 2);
            CHECK(skips.rounds[i] == congestion_of_permutation(net, where, shift{-skip}));
            sum += skips.rounds[i].max_load;
        }
        CHECK(skips.serial_load == sum);
    }
}

TEST_CASE("bytes weigh by the layout of the blocks, an empty message loads links with nothing but itself",
          "[topology][congestion]") {
    // Ranks 0 and 1 share a switch; all send to rank 2 in one round, rank 2 nothing.
    const routed_fat_tree net(fat_tree::kary(2, 2));
    const placement where = placement::compact(4, 3, {});
    const play all_to_two{
        .ranks = {{{step::send(2, {.first = 0, .count = 1}).and_next(),
                    step::send(2, {.first = 2, .count = 2})}},
                  {{step::send(2, {.first = 1, .count = 0})}},
                  {{step::recv(0, {.first = 0, .count = 1}).and_next(),
                    step::recv(0, {.first = 2, .count = 2}), step::recv(1, {.first = 1, .count = 0}),
                    step::copy({0, 1}, buffer_name::work, buffer_name::scratch)},
                   {step::send(0, {.first = 1, .count = 1})},
                   {}}},
        .blocks = 4};
    const std::vector<std::int64_t> bytes{100, 7, 20, 3};
    const schedule_congestion c =
        congestion_of_schedule(net, where, all_to_two, block_layout::by_counts(bytes));
    REQUIRE(c.rounds.size() == 3);
    CHECK(c.rounds[0]
          == round_congestion{.messages = 2, .max_load = 2, .max_bytes = 123, .hops = 8, .max_hops = 4});
    CHECK_FALSE(c.rounds[0].free());
    CHECK(c.rounds[1]
          == round_congestion{.messages = 1, .max_load = 1, .max_bytes = 7, .hops = 4, .max_hops = 4});
    CHECK(c.rounds[2] == round_congestion{});
    CHECK(c.busy_rounds == 2);
    CHECK(c.free_rounds == 1);
    CHECK(c.serial_load == 3);
    CHECK(c.serial_bytes == 130);
    CHECK(c.worst
          == round_congestion{.messages = 2, .max_load = 2, .max_bytes = 123, .hops = 8, .max_hops = 4});

    // Without a layout a message weighs 1.
    const schedule_congestion counted = congestion_of_schedule(net, where, all_to_two);
    CHECK(counted.rounds[0].max_bytes == 2);
    CHECK(counted.serial_bytes == counted.serial_load);
}

TEST_CASE("every message of a round has its own bytes", "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(4, 1));
    const play three_messages{
        .ranks = {{{step::send(1, {.first = 0, .count = 1}), step::send(2, {.first = 1, .count = 1}),
                    step::send(3, {.first = 2, .count = 1})}},
                  {{}},
                  {{}},
                  {{}}},
        .blocks = 3};
    const std::vector<std::int64_t> bytes{100, 7, 20};
    visit_round_loads(net, placement::compact(4), three_messages, block_layout::by_counts(bytes), 0,
                      [&](round_index, const round_loads<routed_fat_tree>& loads) {
                          for (node_type v = 1; v < 4; ++v)
                              CHECK(loads.bytes().load(net.tree().down_link(0, v, 0))
                                    == bytes[static_cast<std::size_t>(v - 1)]);
                          CHECK(loads.bytes().load(net.tree().up_link(0, 0, 0)) == 127);
                          CHECK(loads.messages().load(net.tree().up_link(0, 0, 0)) == 3);
                      });
}

TEST_CASE("whoever runs through the rounds sees their links", "[topology][congestion]") {
    const routed_fat_tree net(fat_tree({4, 4}, {1, 1})); // one link up from each switch
    const auto exchange = [](place at) {
        return scripted({{step::send((at.rank + 8) % 16, {0, 1})}, {}}, 1, {});
    };
    std::vector<std::vector<loaded_link>> worst;
    visit_round_loads(net, placement::compact(16), exchange, block_layout::even(50, 1), 0,
                      [&](round_index i, const round_loads<routed_fat_tree>& loads) {
                          CHECK(i == static_cast<round_index>(worst.size()));
                          worst.push_back(loads.messages().worst(1));
                          CHECK(loads.bytes().max() == 50 * loads.messages().max());
                      });
    REQUIRE(worst.size() == 2);
    CHECK(worst[0] == std::vector<loaded_link>{{16, 4, "up from switch <0,0> to switch <0,1>"}});
    CHECK(worst[1].empty());
}

TEST_CASE("the root of a schedule is passed on", "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(2, 3));
    const auto make = [](place at) { return scripted({{step::send(at.root, {0, 1})}}, 1, {}); };
    visit_round_loads(net, placement::compact(8), make, {}, 5,
                      [](round_index, const round_loads<routed_fat_tree>& loads) {
                          CHECK(loads.figures().messages == 7); // the root's own is none
                          CHECK(loads.messages().worst(1)[0].load == 7);
                          CHECK(loads.messages().worst(1)[0].name == "down from switch <1,0,0> to node 5");
                      });
    CHECK_THROWS_AS(congestion_of_schedule(net, placement::compact(8), make, {}, 8), argument_error);
}

TEST_CASE("what does not fit together is refused by name, value and what is allowed",
          "[topology][congestion]") {
    const routed_fat_tree net(fat_tree::kary(2, 3));
    const placement where = placement::compact(8);
    CHECK(refused([&] { congestion_of_permutation(net, placement::compact(16), shift{1}); })
          == "tutti: nodes of the placement is 16; allowed: 8, the nodes of the network");
    CHECK(refused([&] { congestion_of_permutation(net, where, [](rank_type, rank_type) { return 8; }); })
          == "tutti: receiver is 8; allowed: 0..7");
    CHECK(refused([&] {
              congestion_of_permutation(net, where, permutation_table({1, 0}));
          })
          == "tutti: size is 8; allowed: 2, as many as the permutation's table has");
    CHECK(refused([&] { congestion_of_schedule(net, where, ring_allgather, block_layout::even(70, 7)); })
          == "tutti: blocks of the layout in bytes is 7; allowed: 8, the blocks of the schedule");
    const auto uneven = [](place at) { return scripted(script(at.rank == 3 ? 2 : 1), 1, {}); };
    CHECK(refused([&] { congestion_of_schedule(net, where, uneven); })
          == "tutti: rounds() of rank 3 is 2; allowed: 1, as on rank 0");
}
