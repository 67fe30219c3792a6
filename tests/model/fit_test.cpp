// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/fit.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/catch2.hpp"

namespace {

using tutti::measurement;

std::string refusal(const std::vector<measurement>& all, bool as_table) {
    try {
        if (as_table)
            (void)tutti::fit_table("recv", all);
        else
            (void)tutti::fit_line("recv", all);
    } catch (const tutti::fit_error& e) {
        CHECK(e.parameter() == "recv");
        const std::string text = e.what();
        const std::string before = "tutti: no meaningful fit of recv: ";
        REQUIRE(text.rfind(before, 0) == 0);
        return text.substr(before.size());
    }
    return "";
}

bool near(double a, double b, double by) { return std::abs(a - b) <= by * std::abs(b); }

} // namespace

TEST_CASE("quantiles are values that were there") {
    CHECK(tutti::median({}) == 0);
    CHECK(tutti::median({3}) == 3);
    CHECK(tutti::median({5, 1, 9}) == 5);
    CHECK(tutti::quantile({5, 1, 9, 7, 3}, 0) == 1);
    CHECK(tutti::quantile({5, 1, 9, 7, 3}, 0.25) == 3);
    CHECK(tutti::quantile({5, 1, 9, 7, 3}, 1) == 9);
}

TEST_CASE("a line is found again, and without residual, if the measurements are one") {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> any(0, 10);
    for (int i = 0; i < 100; ++i) {
        const double height = any(random);
        const double slope = any(random);
        std::vector<measurement> all;
        for (int k = 0; k < 7; ++k) all.push_back({std::ldexp(1, k), height + slope * std::ldexp(1, k)});
        const auto line = tutti::fit_line("recv", all);
        CHECK(near(line.slope, slope, 1e-9));
        CHECK(std::abs(line.at_0 - height) < 1e-8 * (1 + slope));
        CHECK(line.left.worst < 1e-9);
        CHECK(line.left.points == 7);
    }
}

TEST_CASE("a quarter of the measurements can be far off without moving the line") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> noise(0.98, 1.02);
    for (int i = 0; i < 50; ++i) {
        std::vector<measurement> all;
        for (int k = 1; k <= 16; ++k) all.push_back({double(k), (2 + 0.5 * k) * noise(random)});
        for (int k = 0; k < 4; ++k) all[random() % 16].us *= 40; // somebody else had the processor
        const auto line = tutti::fit_line("recv", all);
        CHECK(near(line.slope, 0.5, 0.2));
        CHECK(near(line(8), 6, 0.1));
        CHECK(line.left.median < 0.05);
    }
}

TEST_CASE("a table goes through few points and stays near all others") {
    std::vector<measurement> all; // flat, then a step, then 0.25 ns per byte
    for (int k = 3; k <= 22; ++k) {
        const double bytes = std::ldexp(1, k);
        all.push_back({bytes, bytes <= 240 ? 0.1 : 0.3 + bytes * 0.00025});
    }
    const auto fit = tutti::fit_table("recv", all);
    CHECK(fit.table.points().size() <= 8);
    CHECK(fit.left.worst <= 0.031);
    CHECK(fit.left.points == all.size());
    CHECK(fit.table(8) == Approx(0.1));
    CHECK(fit.table(1 << 23) == Approx(0.3 + 0.00025 * (1 << 23)).epsilon(0.04));
    CHECK(tutti::fit_table("recv", all, 0.03, 3).table.points().size() == 3);
}

TEST_CASE("a table never falls, whatever the noise") {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> noise(0.9, 1.1);
    for (int i = 0; i < 50; ++i) {
        std::vector<measurement> all;
        for (int k = 3; k <= 22; ++k)
            all.push_back({std::ldexp(1, k), (0.2 + std::ldexp(1e-4, k)) * noise(random)});
        const auto fit = tutti::fit_table("recv", all);
        const auto& points = fit.table.points();
        for (std::size_t k = 1; k < points.size(); ++k) CHECK(points[k - 1].us <= points[k].us);
        CHECK(fit.left.median < 0.1);
    }
}

TEST_CASE("what lies on a line but for the tolerance takes two points") {
    std::vector<measurement> all;
    for (int k = 3; k <= 12; ++k) all.push_back({std::ldexp(1, k), 1 + 0.001 * k});
    CHECK(tutti::fit_table("recv", all).table.points().size() == 2);
    all.back().us = 4; // one that does not takes one more
    CHECK(tutti::fit_table("recv", all).table.points().size() == 3);
}

TEST_CASE("longer messages may take half the time, but not less") {
    CHECK(tutti::fit_table("recv", std::vector<measurement>{{8, 2}, {64, 1}}, 0.03, 8, 1).table(8) == 1);
    CHECK_THROWS_WITH(tutti::fit_table("recv", std::vector<measurement>{{8, 2.25}, {64, 1}}),
                      Catch::Contains("longer messages take less time, from 2.25 to 1 us"));
}

TEST_CASE("a measurement that was disturbed does not spoil its table") {
    std::vector<measurement> all;
    for (int k = 3; k <= 22; ++k) all.push_back({std::ldexp(1, k), 0.2 + std::ldexp(1e-4, k)});
    const auto undisturbed = tutti::fit_table("recv", all).table;
    all[15].us *= 1000; // of 2^18 bytes
    const auto fit = tutti::fit_table("recv", all);
    for (int k = 3; k <= 22; ++k)
        if (k != 18) CHECK(fit.table(1 << k) == Approx(undisturbed(1 << k)).epsilon(0.08));
    CHECK(fit.table(1 << 18) <= fit.table(1 << 19));
    CHECK(fit.left.worst > 0.9); // and it is told
}

TEST_CASE("what is meaningless is refused with the reason") {
    CHECK(refusal({}, false) == "0 points, at least 2 are needed");
    CHECK(refusal({{1, 2}}, false) == "1 points, at least 2 are needed");
    CHECK(refusal({{1, 2}, {1, 3}}, true) == "1 points, at least 2 are needed");
    CHECK(refusal({{1, 9}, {2, 6}, {3, 3}}, false) == "more takes less time: slope -3 us");
    CHECK(refusal({{1, 1}, {2, 5}, {3, 9}}, false) == "nothing takes less than no time: -3 us at 0");
    CHECK(refusal({{1, 2}, {2, std::numeric_limits<double>::infinity()}}, false)
          == "a measurement is not finite");
    CHECK(refusal({{1, 2}, {2, std::nan("")}}, true) == "a measurement is not finite");
    CHECK(refusal({{8, 2}, {16, -1}}, true) == "-1 us at 16: nothing takes less than no time");
    CHECK(refusal({{8, 9}, {16, 5}, {32, 2}}, true) == "longer messages take less time, from 9 to 2 us");
    CHECK(refusal({{1, 1}, {2, 40}, {3, 2}, {4, 90}, {5, 1.5}, {6, 70}}, false).find("the residual is") == 0);
    CHECK(refusal({{8, 1}, {16, 40}, {32, 30}, {64, 90}, {128, 1.5}, {256, 70}}, true).find("the residual is")
          == 0);
}

TEST_CASE("what is below nothing by less than the noise is nothing") {
    const auto flat =
        tutti::fit_line("recv", std::vector<measurement>{{1, 2.02}, {2, 1.99}, {3, 2.01}, {4, 1.98}});
    CHECK(flat.slope == 0);
    CHECK(near(flat.at_0, 2, 0.02));
    const auto steep =
        tutti::fit_line("recv", std::vector<measurement>{{1, 0.9}, {2, 2.1}, {3, 2.9}, {4, 4.1}});
    CHECK(steep.at_0 >= 0);
    CHECK(near(steep.slope, 1, 0.1));
}
