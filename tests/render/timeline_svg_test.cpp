// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/timeline_svg.hpp>

#include "support/catch2.hpp"
#include "support/drawn.hpp"
#include "support/looks.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using kind = activity::kind;

/// Rank 1 sends 8 bytes to rank 0, which has started late, receives and folds them.
simulation_result two_ranks() {
    simulation_result r;
    r.finish = {10'000'000, 2'000'000};
    r.cpu = {5'000'000, 2'000'000};
    r.messages = 1;
    const activity sent{.what = kind::send,
                        .rank = 1,
                        .peer = 0,
                        .round = 3,
                        .bytes = 8,
                        .begin = 0,
                        .end = 2'000'000,
                        .message = 0};
    const activity flies{.what = kind::flight,
                         .rank = 1,
                         .peer = 0,
                         .round = 3,
                         .bytes = 8,
                         .begin = 2'000'000,
                         .end = 6'000'000,
                         .message = 0};
    const activity late{.what = kind::skew, .rank = 0, .begin = 0, .end = 5'000'000};
    const activity received{.what = kind::recv,
                            .rank = 0,
                            .peer = 1,
                            .round = 3,
                            .bytes = 8,
                            .begin = 6'000'000,
                            .end = 8'000'000,
                            .message = 0};
    const activity folded{
        .what = kind::fold, .rank = 0, .round = 3, .bytes = 8, .begin = 8'000'000, .end = 10'000'000};
    r.timeline = {sent, late, flies, received, folded};
    r.path = {sent, flies, received, folded};
    return r;
}

support::xml picture(const simulation_result& r) {
    return support::read_xml(timeline_svg(r, {.title = "a < b", .lines = {"below"}}));
}

} // namespace

TEST_CASE("bars lie where and last as long as what they stand for", "[render]") {
    const simulation_result r = two_ranks();
    const support::xml root = picture(r);
    const auto bars = root.of_class("activity");
    REQUIRE(bars.size() == 4);
    const double left = bars[0]->number("x"); // begins at 0
    const double microsecond = bars[0]->number("width") / 2;
    const std::vector<std::size_t> drawn{0, 1, 3, 4}; // of the time line; the flight is no bar
    for (std::size_t k = 0; k < bars.size(); ++k) {
        const activity& a = r.timeline[drawn[k]];
        CHECK(bars[k]->number("x") == Approx(left + to_us(a.begin) * microsecond).margin(0.02));
        CHECK(bars[k]->number("width") == Approx(to_us(a.end - a.begin) * microsecond).margin(0.02));
        CHECK((*bars[k])["data-round"] == std::to_string(a.round));
    }
    const auto middle = [&](std::size_t k) { return bars[k]->number("y") + bars[k]->number("height") / 2; };
    CHECK(middle(1) == Approx(middle(2)).margin(0.02)); // both of rank 0
    CHECK(middle(0) > middle(1));                       // rank 1 below it
    CHECK(bars[2]->children.at(0).text == "rank 0: receive from 1, 8 bytes, round 3, 6 µs to 8 µs");
    CHECK(bars[0]->children.at(0).text == "rank 1: send to 0, 8 bytes, round 3, 0 µs to 2 µs");
    CHECK(bars[1]->children.at(0).text == "rank 0: late start, round 0, 0 µs to 5 µs");
    CHECK(bars[3]->children.at(0).text == "rank 0: fold, 8 bytes, round 3, 8 µs to 10 µs");
    simulation_result short_one = r;
    for (activity& a : short_one.timeline) a.bytes = 1;
    CHECK(picture(short_one).of_class("activity")[1]->children.at(0).text
          == "rank 0: late start, 1 bytes, round 0, 0 µs to 5 µs");
    const auto flights = root.of_class("flight");
    REQUIRE(flights.size() == 1);
    CHECK(flights[0]->number("x1") == Approx(left + 2 * microsecond).margin(0.02));
    CHECK(flights[0]->number("x2") == Approx(left + 6 * microsecond).margin(0.02));
    CHECK(flights[0]->number("y1") == Approx(middle(0)).margin(0.02));
    CHECK(flights[0]->number("y2") == Approx(middle(1)).margin(0.02));
    for (const support::xml* bar : bars)
        CHECK(bar->number("x") + bar->number("width") <= root.number("width"));
    CHECK((*bars[0])["data-message"] == "0");
    CHECK((*bars[3])["data-message"] == "-1");
    CHECK((*flights[0])["data-message"] == "0");
}

TEST_CASE("a rank that waits has dots, which say for whom", "[render]") {
    const support::xml root = picture(two_ranks());
    const auto waits = root.of_class("wait");
    REQUIRE(waits.size() == 1);
    const auto bars = root.of_class("activity");
    CHECK(waits[0]->number("x") == Approx(bars[1]->number("x") + bars[1]->number("width")).margin(0.02));
    CHECK(waits[0]->number("width") == Approx(bars[0]->number("width") / 2).margin(0.02)); // 1 us
    CHECK(waits[0]->children.at(0).text
          == "rank 0: waits from 5 µs to 6 µs for rank 1, whose message is on its way from 2 µs to 6 µs");
    CHECK((*waits[0])["data-message"] == "0");
    const auto dots = root.of_class("dots");
    REQUIRE(dots.size() == 2); // one of them in the legend
    CHECK(dots[1]->number("x1") == waits[0]->number("x"));
    CHECK(dots[1]->number("x2") == Approx(bars[2]->number("x")).margin(0.02));
    CHECK(dots[1]->number("y1")
          == Approx(waits[0]->number("y") + waits[0]->number("height") / 2).margin(0.02));
}

TEST_CASE("a message that came before is not what a rank waits for", "[render]") {
    simulation_result r = two_ranks();
    r.timeline[2].end = 5'000'000; // as soon as rank 0 is there
    r.timeline[3].begin = 5'500'000;
    const support::xml root = picture(r);
    const auto waits = root.of_class("wait");
    REQUIRE(waits.size() == 1);
    CHECK(waits[0]->children.at(0).text == "rank 0: waits from 5 µs to 5.5 µs for its network interface");
    CHECK((*waits[0])["data-message"] == "-1");
}

TEST_CASE("a sender that goes on when its message is taken waits for its receiver", "[render]") {
    simulation_result r = two_ranks();
    r.timeline.push_back({.what = kind::copy, .rank = 1, .begin = 6'000'000, .end = 7'000'000});
    const support::xml root = picture(r);
    const auto waits = root.of_class("wait");
    REQUIRE(waits.size() == 2);
    CHECK(waits[1]->children.at(0).text == "rank 1: waits from 2 µs to 6 µs for rank 0 to take its message");
    r.timeline.back().begin = 6'500'000; // something else has kept it
    CHECK(picture(r).of_class("wait")[1]->children.at(0).text
          == "rank 1: waits from 2 µs to 6.5 µs for its network interface");
}

TEST_CASE("what every message takes is told apart from what its bytes take", "[render]") {
    simulation_result r = two_ranks();
    r.timeline[0].overhead = 500'000;                        // of 2 us
    r.timeline[3].overhead = 2'000'000;                      // of 2 us: all of it
    r.timeline[2].overhead = 1'000'000;                      // of a flight: L
    r.timeline[2].held = 3'000'000, r.timeline[2].link = 17; // it waits
    const support::xml root = picture(r);
    const auto overheads = root.of_class("overhead");
    const auto bars = root.of_class("activity");
    REQUIRE(overheads.size() == 3); // the first of them in the legend
    CHECK(overheads[2]->number("width") == bars[2]->number("width"));
    CHECK(overheads[1]->number("x") == bars[0]->number("x"));
    CHECK(overheads[1]->number("width") == Approx(bars[0]->number("width") / 4).margin(0.02));
    CHECK(overheads[1]->number("y") == Approx(bars[0]->number("y")).margin(0.02));
    CHECK(bars[0]->children.at(0).text
          == "rank 1: send to 0, 8 bytes, round 3, 0 µs to 2 µs, 0.5 µs of it overhead");
    CHECK(bars[2]->children.at(0).text
          == "rank 0: receive from 1, 8 bytes, round 3, 6 µs to 8 µs, all of it overhead");
    CHECK(root.of_class("flight")[0]->children.at(0).text
          == "rank 1: on the way to 0, 8 bytes, round 3, 2 µs to 6 µs, 3 µs of it waiting for links, longest "
             "for link 17");
    CHECK(picture(two_ranks()).of_class("overhead").empty());
    const std::vector<std::string> links(18, "the last one");
    const support::xml named = support::read_xml(timeline_svg(r, {}, links));
    CHECK(named.of_class("flight")[0]->children.at(0).text.ends_with("longest for the last one"));
    r.timeline[3].begin = 7'000'000; // the message is there, its receiver is not
    CHECK(picture(r).of_class("flight")[0]->children.at(0).text.ends_with(", taken at 7 µs"));
}

TEST_CASE("the path leads from rank to rank, and only what occurs is in the legend", "[render]") {
    const support::xml root = picture(two_ranks());
    const auto path = root.of_class("path");
    REQUIRE(path.size() == 2); // one of them in the legend
    CHECK(path[1]->name == "polyline");
    std::vector<std::string> legend;
    for (const support::xml& e : root.of_class("legend").at(0)->children)
        if (e.name == "text") legend.push_back(e.text);
    CHECK(legend
          == std::vector<std::string>{"late start", "send", "receive", "fold", "waits",
                                      "what the last rank waited for"});
    simulation_result without = two_ranks();
    without.path.clear();
    CHECK(picture(without).of_class("path").empty());
}

TEST_CASE("a time scale has some ten marks, whatever the unit", "[render]") {
    for (const ticks end : {ticks{1'000}, ticks{37'000}, ticks{1'000'000}, ticks{2'999'999},
                            ticks{123'456'789}, ticks{5'000'000'000'000}}) {
        simulation_result r;
        r.finish = {end};
        r.timeline = {{.what = kind::fold, .begin = 0, .end = end}};
        const std::size_t marks = picture(r).of_class("tick").size();
        INFO(end);
        CHECK(marks >= 4);
        CHECK(marks <= 14);
    }
}

TEST_CASE("a simulation of one rank, which does nothing, has a picture, too", "[render]") {
    simulation_result r;
    r.finish = {0};
    CHECK(picture(r).of_class("activity").empty());
    const double height = picture(r).number("height");
    r.finish = {0, 0};
    CHECK(picture(r).number("height") == height + 26); // a line for each rank
}

TEST_CASE("a small time line, whole", "[render]") {
    CHECK(support::drawn(picture(two_ranks())).text() == R"(0,0 1184x200
24,34 18 start 'a < b'
24,52 12 start 'below'
legend:
  24,70 14x11
  43,80 11 start 'late start'
  126.8,70 14x11
  145.8,80 11 start 'send'
  191.32,70 14x11
  210.32,80 11 start 'receive'
  274.98,70 14x11
  293.98,80 11 start 'fold'
  339.5,76 to 361.5,76 dots
  367.5,80 11 start 'waits'
  419.4,76 to 441.4,76 path
  447.4,80 11 start 'what the last rank waited for'
scale:
  64,116 to 64,176 tick
  64,111 10 middle '0'
  172,116 to 172,176 tick
  172,111 10 middle '1'
  280,116 to 280,176 tick
  280,111 10 middle '2'
  388,116 to 388,176 tick
  388,111 10 middle '3'
  496,116 to 496,176 tick
  496,111 10 middle '4'
  604,116 to 604,176 tick
  604,111 10 middle '5'
  712,116 to 712,176 tick
  712,111 10 middle '6'
  820,116 to 820,176 tick
  820,111 10 middle '7'
  928,116 to 928,176 tick
  928,111 10 middle '8'
  1036,116 to 1036,176 tick
  1036,111 10 middle '9'
  1144,116 to 1144,176 tick
  1144,111 10 middle '10'
  1180,111 10 end 'µs'
ranks:
  64,137 to 1144,137 axis
  54,140.96 11 end '0'
  64,163 to 280,163 axis
  54,166.96 11 end '1'
  54,111 10 end 'rank'
flights:
  280,163 to 712,137 flight
waits:
  604,137 to 712,137 dots
  604,128.94 108x16.12 wait
activities:
  64,154.94 216x16.12 activity
  64,133.1 540x7.8 activity
  712,128.94 216x16.12 activity
  928,128.94 216x16.12 activity
polyline 64,163 280,163 280,163 712,137 712,137 928,137 928,137 1144,137 path
)");
}

TEST_CASE("a time line has these colours and thicknesses", "[render]") {
    simulation_result all = two_ranks();
    for (const kind what : {kind::noise, kind::start, kind::signal, kind::copy})
        all.timeline.push_back({.what = what, .rank = 0, .begin = 0, .end = 1});
    CHECK(support::looks(picture(all)).text() == R"(g.flights stroke=#848e98 stroke-width=0.8
line.axis stroke=#848e98 stroke-width=0.5
line.dots stroke=#52606d stroke-width=2 stroke-dasharray=2 3
line.path stroke=#1f2933 stroke-width=2
line.tick stroke=#848e98 stroke-width=0.4
polyline.path fill=none stroke=#1f2933 stroke-width=2 stroke-linejoin=round
rect fill=#0072b2
rect fill=#009e73
rect fill=#2f97d3
rect fill=#3e4c59
rect fill=#848e98
rect fill=#8a6000
rect fill=#bd5300
rect fill=#c4699c
rect fill=#ffffff
rect.activity fill=#0072b2
rect.activity fill=#009e73
rect.activity fill=#2f97d3
rect.activity fill=#3e4c59
rect.activity fill=#848e98
rect.activity fill=#8a6000
rect.activity fill=#bd5300
rect.activity fill=#c4699c
rect.wait fill-opacity=0
text font-weight=bold fill=#1f2933
text font-weight=normal fill=#1f2933
text font-weight=normal fill=#52606d
)");
}

TEST_CASE("what is on its way, or takes no time, has words and can be seen", "[render]") {
    simulation_result r = two_ranks();
    CHECK(picture(r).of_class("flight").at(0)->children.at(0).text
          == "rank 1: on the way to 0, 8 bytes, round 3, 2 µs to 6 µs");
    r.timeline.push_back({.what = kind::copy, .rank = 1, .round = 4, .begin = 3'000'000, .end = 3'000'000});
    const support::xml root = picture(r);
    const support::xml& copy = *root.of_class("activity").back();
    CHECK(copy.number("width") == 0.6);
    CHECK(copy.children.at(0).text == "rank 1: copy, round 4, 3 µs to 3 µs");
}

TEST_CASE("the marks of a time scale are so many microseconds apart", "[render]") {
    const auto marks = [](ticks end) {
        simulation_result r;
        r.finish = {end};
        const support::xml root = picture(r);
        std::vector<std::string> words;
        for (const support::xml& e : root.of_class("scale").at(0)->children)
            if (e.name == "text" && e["text-anchor"] == "middle") {
                words.push_back(e.text);
                const double us = static_cast<double>(end) / ticks_per_us;
                CHECK(e.number("x") == Approx(64 + 1080 * std::stod(e.text) / us).margin(0.02));
            }
        REQUIRE(words.size() > 1);
        CHECK(words.front() == "0");
        return words.at(1) + " .. " + words.back();
    };
    CHECK(marks(1'000'000) == "0.1 .. 1");
    CHECK(marks(4'900'000) == "0.5 .. 4.5");
    CHECK(marks(5'000'000) == "1 .. 5");
    CHECK(marks(12'000'000) == "1 .. 12");
    CHECK(marks(12'100'000) == "2 .. 12");
    CHECK(marks(30'000'000) == "4 .. 28");
    CHECK(marks(30'100'000) == "5 .. 30");
    CHECK(marks(49'000'000) == "5 .. 45");
    CHECK(marks(50'000'000) == "10 .. 50");
}

TEST_CASE("many ranks lie closer together, and only every so many have a number", "[render]") {
    const auto look = [](std::size_t size) {
        simulation_result r;
        r.finish.assign(size, 1'000'000);
        const support::xml root = picture(r);
        const auto axes = root.of_class("axis");
        REQUIRE(axes.size() == size);
        std::string words;
        for (const support::xml& e : root.of_class("ranks").at(0)->children)
            if (e.name == "text" && e.text != "rank" && words.size() < 5)
                words += e.text + "(" + e["font-size"] + ")";
        const double pitch = axes.at(1)->number("y1") - axes.at(0)->number("y1");
        CHECK(root.number("height")
              == Approx(44 + 18 + 62 + pitch * static_cast<double>(size) + 24).margin(1));
        return std::pair(std::round(100 * pitch) / 100, words);
    };
    CHECK(look(20) == std::pair(26.0, std::string("0(11)")));
    CHECK(look(52) == std::pair(10.0, std::string("0(9)1(9)")));
    CHECK(look(65) == std::pair(8.0, std::string("0(7)2(7)")));
    CHECK(look(256) == std::pair(8.0, std::string("0(7)2(7)")));
}

TEST_CASE("a simulation without a time line, or with too long a one, has no picture", "[render]") {
    simulation_result r = two_ranks();
    r.timeline.clear();
    CHECK_THROWS_WITH(picture(r), "tutti: timeline of the simulation is empty; allowed: that of a simulation "
                                  "with keep_timeline");
    r.timeline.resize(20000);
    CHECK_NOTHROW(picture(r));
    r.timeline.resize(20001);
    CHECK_THROWS_WITH(picture(r), Catch::Contains("activities in a picture is 20001")
                                      && Catch::Contains("at most 20000"));
    r.finish.resize(257);
    CHECK_THROWS_WITH(picture(r), Catch::Contains("ranks in a picture is 257"));
}
