// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/piecewise.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {
bool near(double a, double b) { return std::abs(a - b) < 1e-12 * (1 + std::abs(b)); }
} // namespace

TEST_CASE("a piecewise cost is what its points say at them, and lies on straight lines between", "[model]") {
    const piecewise f({{8, 1.5}, {16, 2.9}, {64, 1.0}});
    CHECK(f(8) == 1.5);
    CHECK(f(16) == 2.9);
    CHECK(near(f(64), 1.0));
    CHECK(near(f(12), 2.2));
    CHECK(near(f(40), 1.95));
    CHECK(f.points().size() == 3);
}

TEST_CASE("below the first point a cost is constant, beyond the last the last line goes on", "[model]") {
    const piecewise f({{8, 1.5}, {16, 2.9}});
    CHECK(f(0) == 1.5);
    CHECK(f(7) == 1.5);
    CHECK(near(f(24), 4.3));
    CHECK(near(f(1008), 1.5 + 125 * 1.4));
}

TEST_CASE("a last line that descends does not go on: no cost becomes negative", "[model]") {
    const piecewise f({{8, 1.5}, {16, 1.4}});
    CHECK(near(f(12), 1.45));
    for (const std::int64_t bytes : {16, 17, 1 << 20}) CHECK(f(bytes) == 1.4);
}

TEST_CASE("no point costs nothing, one point the same for every length", "[model]") {
    CHECK(piecewise{}.empty());
    CHECK(piecewise{}(1000) == 0);
    for (const std::int64_t bytes : {0, 1, 1 << 20}) CHECK(piecewise::constant(3.5)(bytes) == 3.5);
}

TEST_CASE("a line is one, also for gigabytes", "[model]") {
    const piecewise f = piecewise::line(2, 0.001);
    for (const std::int64_t bytes :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 20, std::int64_t{1} << 35})
        CHECK(near(f(bytes), 2 + 0.001 * static_cast<double>(bytes)));
}

TEST_CASE("lengths that do not ascend, negative lengths and negative costs are refused", "[model]") {
    using points = std::vector<piecewise::point>;
    const auto bytes_are = [](const char* bytes) {
        return std::string("tutti: bytes of a point is ") + bytes
               + "; allowed: at least 0 and more than those of the point before";
    };
    CHECK_THROWS_WITH(piecewise(points{{8, 1}, {8, 2}}), bytes_are("8"));
    CHECK_THROWS_WITH(piecewise(points{{8, 1}, {4, 2}}), bytes_are("4"));
    CHECK_THROWS_WITH(piecewise(points{{-1, 1}}), bytes_are("-1"));
    CHECK_THROWS_WITH(piecewise(points{{8, -1}}), "tutti: cost of a point is -1.000000; allowed: at least 0");
    CHECK_THROWS_AS(piecewise(points{{8, std::numeric_limits<double>::quiet_NaN()}}), argument_error);
    CHECK(near(piecewise(points{{0, 0}, {1, 5}})(0), 0)); // the least that are allowed
}
