// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/chrome_trace.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"
#include "support/json.hpp"

using namespace support;
using tutti::activity;
using tutti::collective;
using tutti::simulation_options;
using tutti::ticks;

namespace {

/// "12.5" us in ticks, exactly.
ticks ticks_of(const json& number) {
    REQUIRE(number.what == json::kind::number);
    std::string digits = number.text;
    const std::size_t point = digits.find('.');
    std::size_t decimals = 0;
    if (point != std::string::npos) {
        decimals = digits.size() - point - 1;
        digits.erase(point, 1);
    }
    REQUIRE(decimals <= 6);
    return std::stoll(digits.append(6 - decimals, '0'));
}
int number_of(const json& value) { return std::stoi(value.text); }

struct slice {
    ticks begin = 0, end = 0;
    std::string category{};
};
struct flow_end {
    int pid = 0;
    ticks at = 0;
};

/// A trace, taken apart again.
struct trace {
    explicit trace(const std::string& text) {
        const json whole = read_json(text);
        title = whole["otherData"]["title"].text;
        for (const json_member& m : whole["traceEvents"].members) {
            const json& event = m.value;
            const std::string& phase = event["ph"].text;
            const std::pair track(number_of(event["pid"]), number_of(event["tid"]));
            if (phase == "M") {
                if (event["name"].text == "thread_name") threads[track] = event["args"]["name"].text;
                if (event["name"].text == "process_name") processes[track.first] = event["args"]["name"].text;
            } else if (phase == "X") {
                const ticks begin = ticks_of(event["ts"]);
                tracks[track].push_back({begin, begin + ticks_of(event["dur"]), event["cat"].text});
            } else {
                REQUIRE((phase == "s" || phase == "f"));
                REQUIRE(track.second == 0);
                const bool fresh =
                    (phase == "s" ? starts : ends)
                        .emplace(number_of(event["id"]), flow_end{track.first, ticks_of(event["ts"])})
                        .second;
                CHECK(fresh);
                if (phase == "f") CHECK(event["bp"].text == "e");
            }
        }
    }

    std::string title{};
    std::map<std::pair<int, int>, std::string> threads{};
    std::map<int, std::string> processes{};
    std::map<std::pair<int, int>, std::vector<slice>> tracks{};
    std::map<int, flow_end> starts{}, ends{};
};

simulation_options keeping(bool path = false) {
    simulation_options options;
    options.keep_timeline = true;
    options.keep_path = path;
    options.machine.fold_per_byte = 0.0003;
    options.machine.copy_per_byte = 0.0001;
    return options;
}

tutti::simulation_result simulated(const any_ensemble& all, const simulation_options& options) {
    return simulate(all, tutti::block_bytes::even(1000 * all.blocks(), all.blocks()), options);
}

bool overlap(std::vector<slice> slices) {
    std::stable_sort(slices.begin(), slices.end(),
                     [](const slice& a, const slice& b) { return a.begin < b.begin; });
    for (std::size_t k = 1; k < slices.size(); ++k)
        if (slices[k].begin < slices[k - 1].end) return true;
    return false;
}

} // namespace

TEST_CASE("what a rank does is on its tracks, without overlap, at the times of the simulation") {
    for_each_schedule(std::vector<tutti::rank_type>{2, 5, 8}, [&](const any_ensemble& all,
                                                                  const std::string& what) {
        INFO(what);
        simulation_options options = keeping();
        options.skew = {.how = tutti::start_skew::shape::uniform, .us = 9};
        const bool waits = all.size() == 5;
        if (waits)
            options.machine.S = 3000; // longer messages wait for their receivers, and may end a rank's part
        const tutti::simulation_result result = simulated(all, options);
        const trace found(chrome_trace(result, options.machine));

        std::map<std::pair<int, int>, std::vector<std::pair<ticks, ticks>>> expected;
        for (const activity& a : result.timeline)
            if (a.what != activity::kind::flight) expected[{a.rank, 0}].emplace_back(a.begin, a.end);
        for (auto& [track, slices] : expected) {
            std::vector<std::pair<ticks, ticks>> there;
            for (const slice& s : found.tracks.at(track)) there.emplace_back(s.begin, s.end);
            std::sort(slices.begin(), slices.end());
            std::sort(there.begin(), there.end());
            CHECK(there == slices);
            const ticks finish = result.finish[static_cast<std::size_t>(track.first)];
            CHECK((waits ? there.back().second <= finish : there.back().second == finish));
        }
        for (const auto& [track, slices] : found.tracks) CHECK_FALSE(overlap(slices));
    });
}

TEST_CASE("every message is an arrow from its send to its receive, and has both ports for a while") {
    for_each_schedule(std::vector<tutti::rank_type>{5}, [&](const any_ensemble& all,
                                                            const std::string& what) {
        INFO(what);
        const simulation_options options = keeping();
        const tutti::simulation_result result = simulated(all, options);
        const trace found(chrome_trace(result, options.machine));
        CHECK(static_cast<std::int64_t>(found.starts.size()) == result.messages);
        CHECK(found.starts.size() == found.ends.size());
        std::size_t sends = 0, receives = 0;
        for (const auto& [id, start] : found.starts) {
            REQUIRE(found.ends.count(id) == 1);
            const flow_end& end = found.ends.at(id);
            // The receiver can have it after the sender's overhead and the latency.
            CHECK(end.at >= start.at + tutti::to_ticks(options.machine.o + options.machine.L));
            const auto begins = [&](int pid, int tid, ticks at, const char* category) {
                const auto& slices = found.tracks.at({pid, tid});
                return std::count_if(slices.begin(), slices.end(),
                                     [&](const slice& s) { return s.begin == at && s.category == category; });
            };
            CHECK(begins(start.pid, 0, start.at, "send") == 1);
            CHECK(begins(start.pid, 1, start.at, "send") == 1);
            CHECK(begins(end.pid, 0, end.at, "recv") == 1);
            CHECK(begins(end.pid, 2, end.at, "recv") == 1);
        }
        for (const auto& [track, slices] : found.tracks) {
            if (track.second == 1) sends += slices.size();
            if (track.second == 2) receives += slices.size();
        }
        CHECK(sends == found.starts.size());
        CHECK(receives == found.starts.size());
    });
}

TEST_CASE("with noise, interrupts or the network interface at work tracks do not overlap, either") {
    for (const tutti::progress_by by :
         {tutti::progress_by::host, tutti::progress_by::bypass, tutti::progress_by::nic}) {
        simulation_options options = keeping();
        options.by = by;
        options.signal_us = 0.5;
        options.noise.how = tutti::os_noise::shape::periodic;
        options.noise.period_us = 11;
        options.noise.duration_us = 2;
        const trace found(
            chrome_trace(simulated(ensemble_of(collective::allreduce, "ring", 6), options), options.machine));
        for (const auto& [track, slices] : found.tracks) CHECK_FALSE(overlap(slices));
        CHECK(found.starts.size() == found.ends.size());
    }
}

TEST_CASE("processes and tracks have names") {
    const simulation_options options = keeping();
    const trace found(chrome_trace(simulated(ensemble_of(collective::bcast, "fnomial", 3), options),
                                   options.machine, "a \"b\"\n\\c"));
    CHECK(found.title == "a \"b\"\\c");
    CHECK(found.processes == std::map<int, std::string>{{0, "rank 0"}, {1, "rank 1"}, {2, "rank 2"}});
    for (int r = 0; r < 3; ++r) {
        CHECK(found.threads.at({r, 0}) == "CPU");
        CHECK(found.threads.at({r, 1}) == "send port");
        CHECK(found.threads.at({r, 2}) == "receive port");
    }
}

TEST_CASE("the critical path is a process of its own, from the beginning to the end, in a row") {
    const simulation_options options = keeping(true);
    const tutti::simulation_result result =
        simulated(ensemble_of(collective::allreduce, "fnomial", 7), options);
    const trace found(chrome_trace(result, options.machine));
    CHECK(found.processes.at(7) == "critical path to rank " + std::to_string(result.last()));
    const std::vector<slice>& path = found.tracks.at({7, 0});
    CHECK(path.size() == result.path.size());
    CHECK(path.front().begin == 0);
    for (std::size_t k = 1; k < path.size(); ++k) CHECK(path[k].begin == path[k - 1].end);
    CHECK(path.back().end == result.finish[static_cast<std::size_t>(result.last())]);
    const std::string text = chrome_trace(result, options.machine);
    for (const char* words : {"send to ", "flight to ", "recv from "})
        CHECK_THAT(text, Catch::Contains(words));
    for (const char* words : {"send from ", "flight from ", "recv to "})
        CHECK_THAT(text, !Catch::Contains(words));
}

TEST_CASE("a small trace, whole") {
    tutti::simulation_result result;
    result.finish = {2'000'000, 9'500'000};
    result.messages = 1;
    const activity sent{
        .what = activity::kind::send, .rank = 0, .peer = 1, .round = 1, .bytes = 8, .end = 1'500'000};
    const activity flies{.what = activity::kind::flight,
                         .rank = 0,
                         .peer = 1,
                         .round = 1,
                         .bytes = 8,
                         .begin = 1'500'000,
                         .end = 4'000'000};
    const activity got{.what = activity::kind::recv,
                       .rank = 1,
                       .peer = 0,
                       .round = 1,
                       .bytes = 8,
                       .begin = 4'000'000,
                       .end = 5'500'000};
    result.timeline = {sent, flies, got};
    result.path = {sent, flies, got};
    tutti::loggops machine;
    machine.g = 1;
    machine.G = 0.25;
    CHECK(chrome_trace(result, machine, "title") == R"({"otherData": {"title": "title"},
"displayTimeUnit": "ns",
"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "rank 0"}},
{"ph": "M", "name": "process_sort_index", "pid": 0, "tid": 0, "args": {"sort_index": 0}},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 0, "args": {"name": "CPU"}},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 1, "args": {"name": "send port"}},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 2, "args": {"name": "receive port"}},
{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "rank 1"}},
{"ph": "M", "name": "process_sort_index", "pid": 1, "tid": 0, "args": {"sort_index": 1}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "CPU"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "send port"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "receive port"}},
{"ph": "X", "name": "send to 1", "pid": 0, "tid": 0, "cat": "send", "ts": 0, "dur": 1.5, "args": {"round": 1, "bytes": 8}},
{"ph": "X", "name": "send to 1", "pid": 0, "tid": 1, "cat": "send", "ts": 0, "dur": 2.75, "args": {"round": 1, "bytes": 8}},
{"ph": "s", "name": "message", "pid": 0, "tid": 0, "cat": "message", "id": -1, "ts": 0},
{"ph": "X", "name": "recv from 0", "pid": 1, "tid": 0, "cat": "recv", "ts": 4, "dur": 1.5, "args": {"round": 1, "bytes": 8}},
{"ph": "X", "name": "recv from 0", "pid": 1, "tid": 2, "cat": "recv", "ts": 4, "dur": 2.75, "args": {"round": 1, "bytes": 8}},
{"ph": "f", "name": "message", "pid": 1, "tid": 0, "cat": "message", "id": -1, "ts": 4, "bp": "e"},
{"ph": "M", "name": "process_name", "pid": 2, "tid": 0, "args": {"name": "critical path to rank 1"}},
{"ph": "X", "name": "rank 0: send to 1", "pid": 2, "tid": 0, "cat": "send", "ts": 0, "dur": 1.5, "args": {"round": 1, "bytes": 8}},
{"ph": "X", "name": "rank 0: flight to 1", "pid": 2, "tid": 0, "cat": "flight", "ts": 1.5, "dur": 2.5, "args": {"round": 1, "bytes": 8}},
{"ph": "X", "name": "rank 1: recv from 0", "pid": 2, "tid": 0, "cat": "recv", "ts": 4, "dur": 1.5, "args": {"round": 1, "bytes": 8}}
]}
)");
}

TEST_CASE("a trace says who made it, where one tells") {
    const simulation_options options = keeping();
    const std::string text = chrome_trace(simulated(ensemble_of(collective::bcast, "serial", 2), options),
                                          options.machine, "t", R"(, "program": "x", "schema": 2)");
    const json other = read_json(text)["otherData"];
    CHECK(other["title"].text == "t");
    CHECK(other["program"].text == "x");
    CHECK(other["schema"].text == "2");
}

TEST_CASE("times are exact") {
    using tutti::detail::exact_us;
    CHECK(exact_us(0) == "0");
    CHECK(exact_us(1) == "0.000001");
    CHECK(exact_us(1'500'000) == "1.5");
    CHECK(exact_us(12'000'000) == "12");
    CHECK(exact_us(9'007'199'254'740'993) == "9007199254.740993");
    CHECK(exact_us(-250'000) == "-0.25");
}

TEST_CASE("a simulation that kept no timeline is refused") {
    simulation_options options = keeping();
    options.keep_timeline = false;
    const tutti::simulation_result result = simulated(ensemble_of(collective::bcast, "serial", 2), options);
    CHECK_THROWS_AS(chrome_trace(result, options.machine), tutti::argument_error);
    // Who is alone has nothing to show.
    const tutti::simulation_result alone = simulated(ensemble_of(collective::bcast, "serial", 1), options);
    CHECK_NOTHROW(trace(chrome_trace(alone, options.machine)));
}
