// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>
#include <tutti/topology/placement.hpp>
#include <tutti/topology/torus.hpp>

#include "support/catch2.hpp"
#include "support/told_schedule.hpp"

namespace {

using namespace tutti;
using support::told;
using support::told_schedule;

constexpr block_set nothing{};
block_set bytes_of(std::int64_t n) { return {.first = 0, .count = n}; }
step to(rank_type peer, std::int64_t n = 1) { return step::send(peer, bytes_of(n)); }
step from(rank_type peer, std::int64_t n = 1) { return step::recv(peer, bytes_of(n)); }
step folded(rank_type peer, std::int64_t n = 1) {
    return step::recv_reduce(peer, bytes_of(n), operand_side::right);
}

/// Finish times in us of a schedule whose blocks are bytes.
std::vector<double> finish(const told_schedule& what, const simulation_options& options) {
    std::vector<double> us;
    for (const ticks t :
         simulate(what.all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks), options)
             .finish)
        us.push_back(to_us(t));
    return us;
}
std::vector<double> finish(const told_schedule& what, const loggops& machine) {
    return finish(what, simulation_options{.machine = machine});
}

using times = std::vector<double>;

TEST_CASE("one message takes o, L and o again, and its bytes on both sides") {
    const told_schedule one({{{to(1, 11)}}, {{from(0, 11)}}});
    CHECK(finish(one, {.L = 2, .o = 1, .g = 5, .G = 0}) == times{1, 4});
    // The receiver has all when the last byte has come: o + (s - 1) G after the first.
    CHECK(finish(one, {.L = 2, .o = 1, .g = 5, .G = 0.5}) == times{1, 3 + 1 + 5});
    // A CPU that is slower than the network: O on both sides, and the receiver takes the longer one.
    CHECK(finish(one, {.L = 2, .o = 1, .g = 5, .G = 0.5, .O = 0.75}) == times{1 + 7.5, 3 + 1 + 7.5});
}

TEST_CASE("a message of no blocks counts as a byte") {
    const told_schedule empty({{{step::send(1, nothing)}}, {{step::recv(0, nothing)}}});
    const told_schedule one({{{to(1)}}, {{from(0)}}});
    const loggops m{.L = 2, .o = 1, .g = 5, .G = 100, .O = 100, .S = 1};
    CHECK(finish(empty, m) == times{1, 4});
    CHECK(finish(empty, m) == finish(one, m));
}

TEST_CASE("a list of block sets is one message") {
    const told_schedule lists({{{to(1, 4).and_next(), to(1, 7)}}, {{from(0, 4).and_next(), from(0, 7)}}});
    const loggops m{.L = 2, .o = 1, .g = 5, .G = 0.5};
    CHECK(finish(lists, m) == times{1, 9});
}

TEST_CASE("the next message leaves when CPU and network interface are free: o or g, whichever is longer") {
    const told_schedule two({{{to(1), to(2)}}, {{from(0)}}, {{from(0)}}});
    CHECK(finish(two, {.L = 2, .o = 1, .g = 3, .G = 0}) == times{4, 4, 7});
    CHECK(finish(two, {.L = 2, .o = 3, .g = 1, .G = 0}) == times{6, 8, 11});
    const told_schedule long_ones({{{to(1, 11), to(2)}}, {{from(0, 11)}}, {{from(0)}}});
    CHECK(finish(long_ones, {.L = 2, .o = 1, .g = 3, .G = 0.5})[2] == 8 + 4.);
}

TEST_CASE("two messages that come at once are taken one after the other, the first sent first") {
    const told_schedule both({{{from(1, 11), from(2)}}, {{to(0, 11)}}, {{to(0)}}});
    // Both at 3. Rank 1's send came first: 1 + 5 us, then rank 2's.
    CHECK(finish(both, {.L = 2, .o = 1, .g = 0, .G = 0.5})[0] == 3 + 6 + 1.);
    // The interface needs longer than the CPU: the second at 3 + 4.
    CHECK(finish(both, {.L = 2, .o = 1, .g = 4, .G = 0})[0] == 3 + 4 + 1.);
}

TEST_CASE("a message that nobody waits for takes the CPU when it comes, and may hold up a send") {
    // Rank 0 is busy sending two messages from 0 to 4; that of rank 1 comes at 3 and is put back to 4, when
    // rank 0 would send its third: the one that was in the queue first goes first.
    const told_schedule early({{{to(1), to(1)}, {to(1)}, {from(1)}}, {{to(0)}, {from(0), from(0), from(0)}}});
    const loggops m{.L = 1, .o = 2, .g = 0, .G = 0};
    const std::vector<double> all = finish(early, m);
    CHECK(all[0] == 4 + 2 + 2.);     // two sends, the message, the third send; the receive is free
    CHECK(all[1] == 6 + 2 + 1 + 2.); // the third message leaves at 6
}

TEST_CASE("above S the sender waits until the receiver has the message") {
    const told_schedule long_one({{{to(1, 11)}, {to(1)}}, {{}, {from(0, 11)}, {from(0)}}});
    loggops m{.L = 2, .o = 1, .g = 0, .G = 0, .S = 11};
    CHECK(finish(long_one, m) == times{2, 5});
    m.S = 10; // met at 3
    CHECK(finish(long_one, m) == times{4, 7});
    SECTION("which may be later than the message comes") {
        const told_schedule late({{{to(1, 11)}, {to(2)}},
                                  {{to(2, 1), to(2, 1), to(2, 1), to(2, 1)}, {from(0, 11)}},
                                  {{from(0), from(1), from(1), from(1), from(1)}}});
        // Rank 1 sends from 0 to 4, but the message that comes at 3 is put back to 4 only: met there at last,
        // for the receive begins when the last send is done. Then rank 0 sends again.
        const std::vector<double> all = finish(late, m);
        CHECK(all[0] == 4 + 1.);
        CHECK(all[1] == 4 + 1.);
    }
}

TEST_CASE("LogGP's own rule: the interface receives, and the CPU may send meanwhile") {
    const auto over = [](const told_schedule& what, const loggops& m) {
        return finish(what, {.machine = m, .receiving = receiving_rule::overlapped});
    };
    const loggops m{.L = 2, .o = 1, .g = 0, .G = 0.5};
    SECTION("one message takes as long as by LogGOPSim's rule, whichever is slower, bytes or CPU") {
        const told_schedule one({{{to(1, 11)}}, {{from(0, 11)}}});
        for (const double O : {0., 0.25, 0.5, 0.75}) {
            const loggops n{.L = 2, .o = 1, .g = 5, .G = 0.5, .O = O};
            CHECK(over(one, n) == finish(one, n));
        }
    }
    SECTION("a message that nobody waits for yet does not hold up a send") {
        const told_schedule sending(
            {{{to(2)}, {to(2)}, {to(2)}, {from(1, 11)}}, {{to(0, 11)}}, {{from(0)}, {from(0)}, {from(0)}}});
        const loggops quick{.L = 0, .o = 1, .g = 0, .G = 1};
        // Rank 1's bytes come to rank 0 in [1, 11), when it is sending its second message.
        // cpu: in [2, 13), before the third, which is sent at 13 and had at 15. overlapped: the third is sent
        // at 2 and had at 4; the CPU takes rank 1's message in [11, 12).
        CHECK(finish(sending, quick) == times{14, 1, 15});
        CHECK(over(sending, quick) == times{12, 1, 4});
    }
    SECTION("the interface takes one message after the other, the CPU each when it is in") {
        const told_schedule both({{{from(1, 11), from(2, 11)}}, {{to(0, 11)}}, {{to(0, 11)}}});
        // First bytes at 3; in at 8 and at 13; with 1 us of CPU each.
        CHECK(over(both, m)[0] == 14);
        CHECK(finish(both, m)[0] == 3 + 6 + 6.);
        // g keeps the interface, too.
        CHECK(over(both, {.L = 2, .o = 1, .g = 2, .G = 0.5})[0] == 3 + 2 + 5 + 5 + 1.);
    }
    SECTION("a send in rendezvous is done when the CPU of the receiver takes the message") {
        const told_schedule long_one({{{to(1, 11)}, {to(1)}}, {{}, {from(0, 11)}, {from(0)}}});
        const loggops asked{.L = 2, .o = 1, .g = 0, .G = 0.5, .S = 10};
        CHECK(over(long_one, asked) == times{8 + 1, 12}); // taken at 8; there at 11
        CHECK(finish(long_one, asked) == times{5 + 1, 10});
    }
}

TEST_CASE("a fold comes after its message, a local step after the messages listed before it") {
    const told_schedule folding({{{to(1, 10)}}, {{folded(0, 10)}, {to(2, 10)}}, {{from(1, 10)}}});
    const loggops m{.L = 2, .o = 1, .g = 0, .G = 0, .fold_per_byte = 0.5, .copy_per_byte = 0.25};
    CHECK(finish(folding, m) == times{1, 4 + 5 + 1, 10 + 2 + 1});
    const step copy = step::copy(bytes_of(8), buffer_name::input, buffer_name::work);
    const told_schedule before({{{to(1, 10)}}, {{copy, from(0, 10)}}});
    CHECK(finish(before, m) == times{1, 4}); // 2 us of copying while the message is on its way
    const told_schedule after({{{to(1, 10)}}, {{from(0, 10), copy}}});
    CHECK(finish(after, m) == times{1, 4 + 2});
    // Receives with a fold of their own are waited for, too, by way of the fold.
    const told_schedule both({{{to(2, 10)}}, {{to(2, 10)}}, {{from(0, 10), folded(1, 10), copy}}});
    CHECK(finish(both, m)[2] == 5 + 5 + 2.);
}

TEST_CASE("folds of a round take their turn in the order listed, whatever comes first") {
    // Rank 1's message is longer and its fold is listed first; rank 2's comes first but has to wait.
    const told_schedule folding(
        {{{folded(1, 10), folded(2, 2)}}, {{to(3), to(3)}, {to(0, 10)}}, {{to(0, 2)}}, {{from(1), from(1)}}});
    const loggops m{.L = 2, .o = 1, .g = 0, .G = 0, .fold_per_byte = 1};
    // Rank 2's message at 3..4; rank 1's leaves at 2, comes at 5, is taken by 6; folds 10, then 2.
    CHECK(finish(folding, m)[0] == 6 + 12.);
}

TEST_CASE("a round begins when all of the one before is done") {
    const told_schedule ring({{{to(1), from(2)}, {to(1), from(2)}},
                              {{to(2), from(0)}, {to(2), from(0)}},
                              {{to(0), from(1)}, {to(0), from(1)}}});
    CHECK(finish(ring, {.L = 2, .o = 1, .g = 0, .G = 0}) == times{8, 8, 8});
}

TEST_CASE("the machine without limits costs nothing") {
    for (const catalogue_entry& entry : catalogue()) {
        const ensemble all([&](place at) { return entry.make(at, {}); }, 6);
        const simulation_result r = simulate(all, block_bytes::even(1000, all.blocks()),
                                             {.machine = {.L = 0, .o = 0, .g = 0, .G = 0}});
        CHECK(r.completion_us() == 0);
        CHECK(r.messages > 0);
    }
}

std::string complaint(const told_schedule& what) {
    try {
        finish(what, loggops{});
    } catch (const error& e) {
        return e.what();
    }
    return "none";
}

TEST_CASE("a schedule that waits for ever, or leaves a message, is an error that says where") {
    const told_schedule waiting({{{to(1)}}, {{from(0)}, {from(0)}}});
    CHECK(complaint(waiting).find("rank 1 waits for ever in round 1") != std::string::npos);
    const told_schedule leaving({{{to(1), to(1)}}, {{from(0)}}});
    CHECK(complaint(leaving).find("from rank 0 to rank 1 that is never received") != std::string::npos);
}

/// One round more than there can be.
struct endless {
    round_index rounds() const { return (round_index{1} << 32) - 1; }
    block_index blocks() const { return 1; }
    capabilities claims() const { return {}; }
    template <class Sink>
    void emit(round_index, Sink&&) const {}
};

TEST_CASE("so many rounds that their numbers do not fit are refused before any work") {
    const ensemble all([](place) { return endless{}; }, 2);
    CHECK_THROWS_WITH(simulate(all, block_bytes::even(1, 1)),
                      Catch::Contains("rounds of the schedule is 4294967295; allowed: below 2^32 - 1"));
}

TEST_CASE("what cannot be simulated is refused before any work") {
    const told_schedule one({{{to(1)}}, {{from(0)}}});
    const auto refused = [&](const simulation_options& o, const std::string& argument,
                             const std::string& allowed = "") {
        try {
            finish(one, o);
            FAIL("accepted");
        } catch (const argument_error& e) {
            CHECK(e.argument() == argument);
            CHECK_THAT(e.what(), Catch::EndsWith(allowed));
        }
    };
    refused({.machine = {.L = -1}}, "machine.L");
    refused({.machine = {.G = 1e300}}, "machine.G");
    refused({.machine = {.S = -1}}, "machine.S");
    refused({.skew = {.how = start_skew::shape::one_late, .us = 1, .late_rank = 2}}, "skew.late_rank");
    refused({.noise = {.how = os_noise::shape::periodic, .period_us = 0}}, "noise.period_us");
    refused({.noise = {.how = os_noise::shape::trace, .events = {{1, 1}}}}, "number of noise.events");
    refused({.noise = {.how = os_noise::shape::trace, .events = {{1, 1}, {1, 1}}}}, "noise.events[1].begin",
            "allowed: more than that of the one before");
    refused({.noise = {.how = os_noise::shape::trace, .events = {{-1, 1}, {1, 1}}}}, "noise.events[0].begin",
            "allowed: at least 0");
    refused({.noise = {.how = os_noise::shape::trace, .events = {{1, -1}, {2, 1}}}},
            "noise.events[0].duration");
    const auto stops = os_noise::rule::stops;
    refused({.noise = {.how = os_noise::shape::random, .period_us = 5, .duration_us = 5, .counts = stops}},
            "noise.duration_us");
    refused({.noise = {.how = os_noise::shape::trace, .events = {{1, 2}, {2, 0}}, .counts = stops}},
            "duration of all noise.events");
    refused({.signal_us = -1}, "signal_us");
    refused({.start_us = -1}, "start_us");
    CHECK_THROWS_WITH(simulate(one.all(), block_bytes::even(10, 1)),
                      "tutti: blocks of the bytes is 1; allowed: " + std::to_string(one.all().blocks())
                          + ", the blocks of the schedule");
    CHECK_THROWS_WITH(
        simulate(one.all(), block_bytes::even(10, one.all().blocks()), torus({3}), placement::compact(3)),
        "tutti: ranks of the placement is 3; allowed: 2, the ranks of the schedule");
}

} // namespace

TEST_CASE("whoever watches a simulation sees how many rounds of all ranks there are still to come",
          "[simulate]") {
    const auto watched = [](const char* algorithm, rank_type size) {
        const catalogue_entry& entry = *find_algorithm(collective::allreduce, algorithm);
        const ensemble<any_generator> all([&](place at) { return entry.make(at, entry.defaults); }, size, 0);
        std::vector<double> told;
        const auto f = [&](double done) { told.push_back(done); };
        simulation_options options;
        options.watch = watcher(f);
        const simulation_result with = simulate(all, block_bytes::even(all.blocks(), all.blocks()), options);
        CHECK(with.finish == simulate(all, block_bytes::even(all.blocks(), all.blocks())).finish);
        for (std::size_t i = 0; i < told.size(); ++i)
            CHECK((told[i] > (i == 0 ? 0 : told[i - 1]) && told[i] <= 1));
        return told;
    };
    CHECK(watched("ring", 8).empty()); // over before it is worth a word
    const std::vector<double> told = watched("ring", 200);
    REQUIRE(told.size() > 3);
    // All ranks go at one pace, and events are alike: so are the steps.
    for (std::size_t i = 1; i < told.size(); ++i)
        CHECK(told[i] - told[i - 1] == Approx(told.front()).epsilon(0.2));
    CHECK(told.back() + told.front() > 0.9);
    CHECK(watched("fnomial", 20000).size() > 1); // ranks that are idle for long
}
