// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/pattern/permutation.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/torus.hpp>

#include "support/catch2.hpp"
#include "support/naive_simulation.hpp"
#include "support/told_schedule.hpp"

namespace {

using namespace tutti;
using support::told_schedule;

using times = std::vector<double>;
block_set bytes_of(std::int64_t n) { return {.first = 0, .count = n}; }

times finish(const told_schedule& what, const torus& on, const loggops& machine, const link_options& links) {
    times us;
    const ensemble all = what.all();
    const block_bytes bytes = block_bytes::even(told_schedule::blocks, told_schedule::blocks);
    for (const ticks t :
         simulate(all, bytes, on, placement::compact(on.nodes()), {.machine = machine}, links).finish)
        us.push_back(to_us(t));
    return us;
}

/// Ranks 0 and 1 of a ring of 6 send 11 bytes each, to 2 and to 3: both over the link from 1 to 2.
told_schedule over_one_link() {
    return told_schedule({{{step::send(2, bytes_of(11))}},
                          {{step::send(3, bytes_of(11))}},
                          {{step::recv(0, bytes_of(11))}},
                          {{step::recv(1, bytes_of(11))}},
                          {},
                          {}});
}

TEST_CASE("of two messages over one link the second waits until the first is through") {
    const torus ring({6});
    const loggops m{.L = 2, .o = 1, .g = 0, .G = 0.5};
    // Alone: sent by 1, there at 3, all bytes by 3 + 1 + 5.
    CHECK(finish(over_one_link(), ring, m, {})[2] == 9);
    // Rank 0's send is first; the link is free again after 10 more bytes.
    CHECK(finish(over_one_link(), ring, m, {})[3] == 9 + 5);
    CHECK(finish(over_one_link(), ring, m, {.gap_us = 3})[3] == 9 + 5 + 3);
    SECTION("hops: the first message enters the shared link later, the second waits for that, too") {
        CHECK(finish(over_one_link(), ring, m, {.hop_us = 0.25})[2] == 9 + 2 * 0.25);
        CHECK(finish(over_one_link(), ring, m, {.hop_us = 0.25})[3] == 9 + 0.25 + 5 + 2 * 0.25);
    }
    SECTION("slow links: the last byte comes later than the receiver could take it") {
        // 10 bytes behind the first take 20 us on a link, not 5.
        CHECK(finish(over_one_link(), ring, m, {.us_per_byte = 2})[2] == 9 + 15);
        CHECK(finish(over_one_link(), ring, m, {.us_per_byte = 2})[3] == 9 + 15 + 20);
    }
    SECTION("fast links") {
        CHECK(finish(over_one_link(), ring, m, {.us_per_byte = 0.25})[2] == 9);
        CHECK(finish(over_one_link(), ring, m, {.us_per_byte = 0.25})[3] == 9 + 2.5);
    }
}

TEST_CASE("messages over several links queue up, which takes longer than fair shares would") {
    const told_schedule three({{{step::send(2, bytes_of(2))}},
                               {{step::send(3, bytes_of(2))}},
                               {{step::send(3, bytes_of(2)), step::recv(0, bytes_of(2))}},
                               {{step::recv(1, bytes_of(2)), step::recv(2, bytes_of(2))}},
                               {},
                               {},
                               {},
                               {}});
    const simulation_result r =
        simulate(three.all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks), torus({8}),
                 placement::compact(8), {.machine = {.L = 0, .o = 0, .g = 0, .G = 1}, .keep_timeline = true});
    times ends;
    for (const activity& a : r.timeline)
        if (a.what == activity::kind::recv) ends.push_back(to_us(a.end));
    CHECK(ends == times{1, 2, 3}); // 0 -> 2, 1 -> 3, 2 -> 3; shared fairly, all would end at 2
    // The second waits for the link from 1 to 2, the third for that from 2 to 3.
    times held;
    std::vector<link_index> links;
    for (const activity& a : r.timeline)
        if (a.what == activity::kind::flight) held.push_back(to_us(a.held)), links.push_back(a.link);
    CHECK(held == times{0, 1, 2});
    const auto link_from = [](node_type node) {
        link_index only = -1;
        torus({8}).route(node, node + 1, [&](link_index link) { only = link; });
        return only;
    };
    CHECK(links == std::vector<link_index>{-1, link_from(1), link_from(2)});
}

TEST_CASE("a message is said to wait for the link that it waits for longest, and as long as for all") {
    // On a ring of 8, 1 us a message, 0 -> 2 waits 1 us for the first of its links and 2 us more for the
    // next.
    const told_schedule all(
        {{{step::send(1, bytes_of(2))}, {step::send(2, bytes_of(2))}},
         {{step::recv(0, bytes_of(2)), step::send(2, bytes_of(2)), step::send(2, bytes_of(2)),
           step::send(2, bytes_of(2))}},
         {{step::recv(1, bytes_of(2)), step::recv(1, bytes_of(2)), step::recv(1, bytes_of(2))},
          {step::recv(0, bytes_of(2))}},
         {},
         {},
         {},
         {},
         {}});
    const simulation_result r =
        simulate(all.all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks), torus({8}),
                 placement::compact(8), {.machine = {.L = 0, .o = 0, .g = 0, .G = 1}, .keep_timeline = true});
    const auto far = std::find_if(r.timeline.begin(), r.timeline.end(), [](const activity& a) {
        return a.what == activity::kind::flight && a.rank == 0 && a.peer == 2;
    });
    REQUIRE(far != r.timeline.end());
    link_index second = -1;
    torus({8}).route(1, 2, [&](link_index link) { second = link; });
    CHECK(far->link == second);
    CHECK(to_us(far->held) == to_us(far->end - far->begin)); // without latency it does nothing but wait
    CHECK(far->held > 0);
}

TEST_CASE("on links without limit and without hops every algorithm takes as long as without a network") {
    const link_options free{.us_per_byte = 0};
    const routed_fat_tree tree(fat_tree::kary(2, 4));
    for (const loggops& machine :
         {loggops{}, loggops{.L = 1, .o = 1, .g = 2, .G = 0.25, .S = 40, .fold_per_byte = 1}})
        for (const catalogue_entry& entry : catalogue())
            for (const rank_type size : {3, 16}) {
                const ensemble all([&](place at) { return entry.make(at, {}); }, size);
                const block_bytes bytes = block_bytes::even(320, all.blocks());
                const placement where = placement::compact(16, size, {});
                const simulation_options o{.machine = machine};
                CHECK(simulate(all, bytes, tree, where, o, free).finish == simulate(all, bytes, o).finish);
            }
}

TEST_CASE("shifts free of congestion cost nothing extra but their hops") {
    const node_type nodes = 16;
    const routed_fat_tree tree(fat_tree::kary(4, 2));
    const loggops m{};
    for (rank_type k = 1; k < nodes; ++k) {
        std::vector<support::told> ranks;
        int most_hops = 0;
        for (rank_type r = 0; r < nodes; ++r) {
            const rank_type up = (r + k) % nodes;
            const rank_type down = (r + nodes - k) % nodes;
            most_hops = std::max(most_hops, hops_between(tree, r, up));
            ranks.push_back({{step::send(up, bytes_of(64)), step::recv(down, bytes_of(64))}});
        }
        const ensemble all = told_schedule(ranks).all();
        const block_bytes bytes = block_bytes::even(1 << 16, told_schedule::blocks);
        const placement where = placement::compact(nodes);
        const auto completion = [](const simulation_result& r) {
            return r.finish[static_cast<std::size_t>(r.last())];
        };
        const ticks alone = completion(simulate(all, bytes, {.machine = m}));
        const auto over = [&](const link_options& links) {
            return completion(simulate(all, bytes, tree, where, {.machine = m}, links));
        };
        CHECK(over({}) == alone);
        CHECK(over({.hop_us = 0.1}) == alone + most_hops * to_ticks(0.1));
    }
}

TEST_CASE("a ring goes round a torus as fast as without a network") {
    const ensemble all([](place at) { return find_algorithm(collective::allgather, "ring")->make(at, {}); },
                       12);
    const block_bytes bytes = block_bytes::even(1 << 16, all.blocks());
    CHECK(simulate(all, bytes, torus({12}), placement::compact(12), {}).finish
          == simulate(all, bytes).finish);
    // Placed badly it does not.
    const placement scattered = placement::on_nodes(12, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
    CHECK(simulate(all, bytes, torus({12}), scattered, {}).completion_us()
          > simulate(all, bytes).completion_us());
}

/// The links as the rules say, worked out apart: by name.
TEST_CASE("the simulator on links gives what the rules give word for word") {
    const torus net({4, 3});
    const std::int64_t hop = 500'000;
    const std::int64_t gap = 250'000;
    for (const std::int64_t threshold : {0, 40, 1 << 20})
        for (const catalogue_entry& entry : catalogue()) {
            const loggops m{.L = 1, .o = 1, .g = 1, .G = 0.25, .S = threshold, .fold_per_byte = 0.125};
            const ensemble all([&](place at) { return entry.make(at, {}); }, 12);
            const block_bytes bytes = block_bytes::even(400, all.blocks());
            support::naive_simulation naive(all, bytes,
                                            {.L = 1'000'000,
                                             .o = 1'000'000,
                                             .g = 1'000'000,
                                             .G = 250'000,
                                             .S = threshold,
                                             .fold_per_byte = 125'000});
            std::vector<std::int64_t> free(static_cast<std::size_t>(net.links()), 0);
            naive.delay = [&](rank_type a, rank_type b, std::int64_t n, std::int64_t leaves) {
                std::int64_t at = leaves;
                net.route(a, b, [&](link_index l) {
                    std::int64_t& until = free[static_cast<std::size_t>(l)];
                    if (until > at) at = until;
                    until = at + gap + (n - 1) * 250'000;
                    at += hop;
                });
                return at - leaves;
            };
            const std::vector<ticks> expected = naive.finish();
            INFO(name_of(entry.what) << ' ' << entry.name << ", S " << threshold);
            CHECK(simulate(all, bytes, net, placement::compact(12), {.machine = m},
                           {.gap_us = 0.25, .hop_us = 0.5})
                      .finish
                  == expected);
        }
}

TEST_CASE("links that cannot be are refused") {
    const ensemble all = over_one_link().all();
    const block_bytes bytes = block_bytes::even(64, 64);
    const auto refused = [&](const torus& on, const placement& where, const link_options& links) {
        CHECK_THROWS_AS(simulate(all, bytes, on, where, {}, links), argument_error);
    };
    refused(torus({6}), placement::compact(6), {.us_per_byte = -2});
    refused(torus({6}), placement::compact(6), {.gap_us = -1});
    refused(torus({6}), placement::compact(6), {.hop_us = -1});
    refused(torus({6}), placement::compact(7), {});
    refused(torus({7}), placement::compact(7), {});
}

} // namespace
