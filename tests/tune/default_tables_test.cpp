// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/default_tables.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// Lengths 8, 64, 512; each way its times.
std::vector<timed_cell> cells_of(rank_type size, const std::vector<std::vector<double>>& us) {
    std::vector<timed_cell> cells;
    std::int64_t bytes = 8;
    for (const std::vector<double>& each : us) {
        cells.push_back({.size = size, .bytes = bytes, .us = each});
        bytes *= 8;
    }
    return cells;
}

using lengths = std::vector<length_rule>;

} // namespace

TEST_CASE("a way is kept for as long as it is near the best", "[tune][default_tables]") {
    const auto cells = cells_of(4, {{1.00, 1.02, 3}, {1.02, 1.00, 3}, {5, 4, 1}});
    CHECK(detail::rules_for_lengths(cells, 1.03) == lengths{{287, 0}, {default_rule::any_bytes, 2}});
    CHECK(detail::rules_for_lengths(cells, 1.01) == lengths{{35, 0}, {287, 1}, {default_rule::any_bytes, 2}});
    CHECK(detail::worst_regret(detail::rules_for_lengths(cells, 1.03), cells) == Approx(1.02));
}

TEST_CASE("of ways that reach equally far the faster one is taken", "[tune][default_tables]") {
    CHECK(detail::rules_for_lengths(cells_of(2, {{1.02, 1.00}, {1, 1}, {1, 1}}), 1.03)
          == lengths{{default_rule::any_bytes, 1}});
}

TEST_CASE("the lengths between two that were measured are shared out at the middle",
          "[tune][default_tables]") {
    const lengths rules = detail::rules_for_lengths(cells_of(2, {{1, 2}, {2, 1}, {2, 1}}), 1.0);
    CHECK(detail::way_for(rules, 8) == 0);
    CHECK(detail::way_for(rules, 35) == 0);
    CHECK(detail::way_for(rules, 36) == 1);
    CHECK(detail::way_for(rules, 1 << 30) == 1);
}

TEST_CASE("rules serve fewer ranks, too, where they cost little there", "[tune][default_tables]") {
    std::vector<timed_cell> all = cells_of(2, {{1, 1.05}, {1, 1.05}, {1, 1.05}});
    for (const timed_cell& cell : cells_of(4, {{2, 1}, {2, 1}, {2, 1}})) all.push_back(cell);
    const std::vector<size_rule> joined = few_rules(all, 1.03, 1.06);
    REQUIRE(joined.size() == 1);
    CHECK(joined[0].ranks == default_rule::any_size);
    CHECK(joined[0].lengths == lengths{{default_rule::any_bytes, 1}});

    const std::vector<size_rule> apart = few_rules(all, 1.03, 1.04);
    REQUIRE(apart.size() == 2);
    CHECK(apart[0].ranks == 2);
    CHECK(apart[0].lengths == lengths{{default_rule::any_bytes, 0}});
    CHECK(apart[1].ranks == default_rule::any_size);
}

TEST_CASE("algorithms that others stand in for need no rule", "[tune][default_tables]") {
    // Ways 0 and 1 are of one algorithm. Way 2 is the best of the first cell by a hair, way 3 alone serves
    // the last.
    const std::vector<timed_cell> cells = cells_of(2, {{1.01, 9, 1, 9}, {9, 1, 1.01, 9}, {9, 9, 9, 1}});
    const std::vector<std::size_t> algorithm{0, 0, 1, 2};
    CHECK(tutti::dispensable_ways(cells, algorithm, 1.0) == std::vector<bool>{false, false, false, false});
    // Both could go, but not both: that goes which costs less, and of equals the first.
    CHECK(tutti::dispensable_ways(cells, algorithm, 1.02) == std::vector<bool>{true, true, false, false});
    CHECK(tutti::dispensable_ways(cells, algorithm, 1.02, {true, true, false, false}) // named elsewhere
          == std::vector<bool>{false, false, true, false});
    const std::vector<timed_cell> skewed = cells_of(2, {{1.015, 9, 1, 9}, {9, 1, 1.01, 9}, {9, 9, 9, 1}});
    CHECK(tutti::dispensable_ways(skewed, algorithm, 1.02) == std::vector<bool>{true, true, false, false});
    const std::vector<timed_cell> other = cells_of(2, {{1.01, 9, 1, 9}, {9, 1, 1.015, 9}, {9, 9, 9, 1}});
    CHECK(tutti::dispensable_ways(other, algorithm, 1.02) == std::vector<bool>{false, false, true, false});
    // What was not tried serves nobody.
    const double never = std::numeric_limits<double>::infinity();
    CHECK(tutti::dispensable_ways(cells_of(2, {{never, 5}}), {0, 1}, 100) == std::vector<bool>{true, false});
}

TEST_CASE("of several passes the mean of each way's ratios to the best of a pass counts", "[tune]") {
    // The second pass was ten times as slow altogether; in the fourth the first way was most unlucky.
    const double never = std::numeric_limits<double>::infinity();
    const std::vector<std::vector<timed_cell>> passes{{{2, 8, {1, 2, 3, never}}},
                                                      {{2, 8, {10, 20, 30, never}}},
                                                      {{2, 8, {1, 2, 3, never}}},
                                                      {{2, 8, {900, 2, 3, never}}}};
    const std::vector<timed_cell> one = joined_passes(passes);
    REQUIRE(one.size() == 1);
    CHECK(one[0].size == 2);
    CHECK(one[0].bytes == 8);
    REQUIRE(one[0].us.size() == 4);
    CHECK(one[0].us[0] == Approx(std::sqrt(4.0))); // of the slower half
    CHECK(one[0].us[1] == Approx(2));              // of the faster one
    CHECK(one[0].us[2] == Approx(3));
    CHECK(one[0].us[3] == never);
    CHECK(joined_passes({passes[3]}).front().us[0] == Approx(8)); // 900 counts for 4 times the best
}

TEST_CASE("a way that is slow in the slower passes is not the best, however good it is in the others",
          "[tune]") {
    const std::vector<timed_cell> near{{4, 8, {1, 1.1, 1.3}}, {4, 16, {2, 2, 4}}};
    const std::vector<timed_cell> far{{4, 8, {12, 6, 5}},
                                      {4, 16, {1, 2, 4}}}; // here the second cell was faster
    for (const std::vector<std::vector<timed_cell>>& passes :
         {std::vector{near, far}, std::vector{far, near}, std::vector{far, near, near, far}}) {
        const std::vector<timed_cell> one = joined_passes(passes);
        REQUIRE(one.size() == 2);
        CHECK(one[0].us[0] == Approx(2.4));
        CHECK(one[0].us[1] == Approx(1.2));
        CHECK(one[0].us[2] == Approx(1.3));
        CHECK(one[1].us[0] == Approx(1));
        CHECK(one[1].us[1] == Approx(2));
        CHECK(one[1].us[2] == Approx(4));
    }
    // Of three passes the one in the middle belongs to both halves.
    CHECK(joined_passes({near, far, near}).front().us[0] == Approx(std::sqrt(2.4)));
}
