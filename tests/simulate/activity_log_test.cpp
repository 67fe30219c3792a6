// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>
#include <tutti/topology/torus.hpp>

#include "support/catch2.hpp"
#include "support/told_schedule.hpp"

namespace {

using namespace tutti;
using kind = activity::kind;
using support::told_schedule;

std::vector<kind> kinds(const std::vector<activity>& all) {
    std::vector<kind> result;
    for (const activity& a : all) result.push_back(a.what);
    return result;
}

/// Option sets under which everything in a path occurs.
std::vector<simulation_options> option_sets() {
    const loggops plain{.L = 2, .o = 1, .g = 3, .G = 0.001, .fold_per_byte = 0.002, .copy_per_byte = 0.001};
    loggops meeting = plain;
    meeting.S = 8;
    loggops slow = plain;
    slow.O = 0.01;
    simulation_options skewed{.machine = plain};
    skewed.skew = {.how = start_skew::shape::uniform, .us = 20, .seed = 7};
    simulation_options noisy{.machine = meeting};
    noisy.noise = {.how = os_noise::shape::random, .period_us = 9, .duration_us = 3};
    simulation_options interrupted = skewed;
    interrupted.by = progress_by::bypass;
    interrupted.signal_us = 4;
    simulation_options on_nic = skewed;
    on_nic.by = progress_by::nic;
    on_nic.start_us = 2;
    const auto overlapped = receiving_rule::overlapped;
    simulation_options stopping = noisy;
    stopping.machine.O = 0.01;
    stopping.noise.counts = os_noise::rule::stops;
    simulation_options both = stopping;
    both.receiving = overlapped;
    return {{.machine = plain},
            {.machine = meeting},
            {.machine = slow},
            {.machine = plain, .receiving = overlapped},
            {.machine = meeting, .receiving = overlapped},
            skewed,
            noisy,
            stopping,
            both,
            interrupted,
            on_nic};
}

template <class F>
void for_each_ensemble(rank_type size, F&& f) {
    for (const catalogue_entry& entry : catalogue()) {
        const ensemble all([&](place at) { return entry.make(at, {}); }, size, 1);
        INFO(name_of(entry.what) << ' ' << entry.name << ", " << size << " ranks");
        f(all);
    }
}

void check_path(const simulation_result& r, bool eager) {
    REQUIRE(!r.path.empty());
    CHECK(r.path.front().begin == 0);
    for (std::size_t i = 1; i < r.path.size(); ++i) {
        REQUIRE(r.path[i - 1].end == r.path[i].begin);
        CHECK(r.path[i].begin <= r.path[i].end);
    }
    // A sender whose last message met a late receiver ends with what the receiver did until then.
    if (eager) CHECK(r.path.back().rank == r.last());
    CHECK(r.path.back().end == r.finish[static_cast<std::size_t>(r.last())]);
}

TEST_CASE("the critical path has no gap from time 0 to the end of the last rank") {
    for (const rank_type size : {2, 5, 12})
        for (const simulation_options& given : option_sets())
            for_each_ensemble(size, [&](const auto& all) {
                simulation_options o = given;
                const block_bytes bytes = block_bytes::even(400, all.blocks(), 4);
                const simulation_result without = simulate(all, bytes, o);
                o.keep_path = true;
                const simulation_result with = simulate(all, bytes, o);
                CHECK(with.finish == without.finish);
                CHECK(with.cpu == without.cpu);
                CHECK(without.path.empty());
                const bool eager = o.machine.S > 400;
                check_path(with, eager);
                const simulation_result wired = simulate(all, bytes, torus({size}), placement::compact(size),
                                                         o, {.gap_us = 1, .hop_us = 0.5});
                check_path(wired, eager);
            });
}

TEST_CASE("the path names what was waited for") {
    simulation_options o{.machine = {.L = 2, .o = 1, .g = 3, .G = 0}, .keep_path = true};
    const auto run = [&](const told_schedule& what) {
        return simulate(what.all(), block_bytes::even(told_schedule::blocks, told_schedule::blocks), o).path;
    };
    const block_set one{.first = 0, .count = 1};
    SECTION("a message") {
        const auto path = run(told_schedule({{{step::send(1, one)}}, {{step::recv(0, one)}}}));
        CHECK(kinds(path) == std::vector{kind::send, kind::flight, kind::recv});
        CHECK(path[1].rank == 0);
        CHECK(path[1].peer == 1);
        CHECK(path[1].end - path[1].begin == to_ticks(2));
        CHECK(path[2].rank == 1);
        CHECK(path[2].peer == 0);
        for (const activity& a : path) CHECK(a.message == 0);
    }
    SECTION("the network interface, between two messages") {
        const auto path = run(told_schedule(
            {{{step::send(1, one), step::send(2, one)}}, {{step::recv(0, one)}}, {{step::recv(0, one)}}}));
        CHECK(kinds(path) == std::vector{kind::send, kind::gap, kind::send, kind::flight, kind::recv});
        CHECK(path[1].end - path[1].begin == to_ticks(2)); // g - o
    }
    SECTION("the CPU, where the interface is free at the same time") {
        o.machine.fold_per_byte = 2; // begins after the send and ends with its gap
        const step fold = step::reduce(one, buffer_name::input, buffer_name::work, operand_side::right);
        const auto sent = run(told_schedule({{{step::send(1, one), fold}, {step::send(2, one)}},
                                             {{step::recv(0, one)}},
                                             {{}, {step::recv(0, one)}}}));
        CHECK(kinds(sent) == std::vector{kind::send, kind::fold, kind::send, kind::flight, kind::recv});
        // Rank 2 takes a message from 3 to 4 and folds it until 6, when the interface is free again, too.
        const auto taken =
            run(told_schedule({{{step::send(2, one)}},
                               {{step::send(2, one)}},
                               {{step::recv_reduce(0, one, operand_side::right), step::recv(1, one)}}}));
        CHECK(kinds(taken) == std::vector{kind::send, kind::flight, kind::recv, kind::fold, kind::recv});
    }
    SECTION("a receiver that lets a rendezvous wait") {
        o.machine.S = 0;
        o.machine.g = 0;
        o.machine.fold_per_byte = 10;
        // Rank 1 folds until 10, then receives from rank 0, which may then send to rank 2.
        const auto path = run(
            told_schedule({{{step::send(1, one)}, {step::send(2, one)}},
                           {{step::reduce(one, buffer_name::input, buffer_name::work, operand_side::right)},
                            {step::recv(0, one)}},
                           {{step::recv(0, one)}}}));
        CHECK(kinds(path) == std::vector{kind::fold, kind::send, kind::flight, kind::recv});
        CHECK(path[0].rank == 1);
        CHECK(path[1].rank == 0);
        CHECK(path[1].begin == to_ticks(10));
    }
    SECTION("what ends last, where a rendezvous ends in between or at the same time") {
        o.machine.S = 0;
        const told_schedule two(
            {{{step::send(1, one)}, {step::send(2, one)}}, {{step::recv(0, one)}}, {{step::recv(0, one)}}});
        // The message has come at 3.
        CHECK(kinds(run(two)) == std::vector{kind::send, kind::flight, kind::send, kind::flight, kind::recv});
        o.machine.g = 4; // the interface is free at 4
        CHECK(kinds(run(two)) == std::vector{kind::send, kind::gap, kind::send, kind::flight, kind::recv});
        o.machine.fold_per_byte = 2; // the CPU folds until 3
        o.machine.g = 0;
        const step fold = step::reduce(one, buffer_name::input, buffer_name::work, operand_side::right);
        const auto path = run(told_schedule({{{step::send(1, one), fold}, {step::send(2, one)}},
                                             {{step::recv(0, one)}},
                                             {{step::recv(0, one)}}}));
        CHECK(kinds(path) == std::vector{kind::send, kind::fold, kind::send, kind::flight, kind::recv});
    }
    SECTION("a rank that came late") {
        o.skew = {.how = start_skew::shape::one_late, .us = 50, .late_rank = 1};
        const auto path = run(told_schedule({{{step::send(1, one)}}, {{step::recv(0, one)}}}));
        CHECK(kinds(path) == std::vector{kind::skew, kind::recv});
    }
}

TEST_CASE("the timeline has all that each rank did, in turn") {
    for (const simulation_options& given : option_sets())
        for_each_ensemble(9, [&](const auto& all) {
            simulation_options o = given;
            o.keep_timeline = true;
            const simulation_result r = simulate(all, block_bytes::even(400, all.blocks(), 4), o);
            std::vector<ticks> end(9, 0);
            std::map<std::int64_t, std::vector<activity>> messages;
            activity sent_last{};
            for (std::size_t i = 0; i < r.timeline.size(); ++i) {
                const activity& a = r.timeline[i];
                if (i > 0) CHECK(r.timeline[i - 1].begin <= a.begin);
                if (a.what == kind::send) { // those that begin at the same time as they were sent
                    CHECK((a.begin > sent_last.begin || a.message > sent_last.message));
                    sent_last = a;
                }
                CHECK(a.what != kind::gap);
                if (a.message >= 0) messages[a.message].push_back(a);
                if (a.what == kind::flight) continue;
                ticks& last = end[static_cast<std::size_t>(a.rank)];
                CHECK(last <= a.begin); // one thing at a time
                last = a.end;
            }
            CHECK(static_cast<std::int64_t>(messages.size()) == r.messages);
            for (const auto& [number, parts] : messages) {
                const auto part = [&](kind k) {
                    return *std::find_if(parts.begin(), parts.end(),
                                         [k](const activity& a) { return a.what == k; });
                };
                const activity sent = part(kind::send);
                const activity flown = part(kind::flight);
                const activity taken = part(kind::recv);
                CHECK(flown.begin == sent.begin + to_ticks(o.machine.o));
                CHECK(sent.overhead == to_ticks(o.machine.o));
                CHECK(taken.overhead == to_ticks(o.machine.o));
                CHECK(flown.overhead == to_ticks(o.machine.L));
                CHECK(flown.link == -1); // there are none
                CHECK(flown.end <= taken.begin);
                CHECK(sent.peer == taken.rank);
                CHECK(taken.peer == sent.rank);
                CHECK(sent.bytes == taken.bytes);
                CHECK(sent.round == taken.round);
            }
            // Whoever waits last in a rendezvous ends later than its own last work.
            if (o.machine.S > 400)
                for (std::size_t rank = 0; rank < 9; ++rank) CHECK(end[rank] == r.finish[rank]);
        });
}

} // namespace
