// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/timeline_svg.hpp>

#include "support/catch2.hpp"
#include "support/drawn.hpp"
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
          == std::vector<std::string>{"late start", "send", "receive", "fold",
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
  339.5,76 to 361.5,76 path
  367.5,80 11 start 'what the last rank waited for'
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
activities:
  64,154.94 216x16.12 activity
  64,133.1 540x7.8 activity
  712,128.94 216x16.12 activity
  928,128.94 216x16.12 activity
polyline 64,163 280,163 280,163 712,137 712,137 928,137 928,137 1144,137 path
)");
}

TEST_CASE("a simulation without a time line, or with too long a one, has no picture", "[render]") {
    simulation_result r = two_ranks();
    r.timeline.clear();
    CHECK_THROWS_WITH(picture(r), "tutti: timeline of the simulation is empty; allowed: that of a simulation "
                                  "with keep_timeline");
    r.timeline.resize(20001);
    CHECK_THROWS_WITH(picture(r), Catch::Contains("activities in a picture is 20001")
                                      && Catch::Contains("at most 20000"));
    r.finish.resize(257);
    CHECK_THROWS_WITH(picture(r), Catch::Contains("ranks in a picture is 257"));
}
