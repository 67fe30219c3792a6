// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/rank.hpp>

#include <limits>
#include <string>

#include "support/catch2.hpp"

using namespace tutti;

static_assert(relative_rank(0, 3, 5) == 2);
static_assert(absolute_rank(2, 3, 5) == 0);

TEST_CASE("relative and absolute ranks are inverse to each other", "[core][rank]") {
    for (rank_type size = 1; size <= 20; ++size)
        for (rank_type root = 0; root < size; ++root) {
            CHECK(relative_rank(root, root, size) == 0);
            for (rank_type r = 0; r < size; ++r) {
                REQUIRE(relative_rank(r, root, size) == mod(r - root, size));
                REQUIRE(absolute_rank(relative_rank(r, root, size), root, size) == r);
            }
        }
}

TEST_CASE("ranks near the largest number of ranks do not overflow", "[core][rank]") {
    constexpr rank_type most = std::numeric_limits<rank_type>::max();
    CHECK(relative_rank(0, most - 1, most) == 1);
    CHECK(absolute_rank(most - 1, most - 1, most) == most - 2);
}

TEST_CASE("a place is checked, and the error names argument, value and what is allowed",
          "[core][rank][error]") {
    const auto refusal = [](place at) -> std::string {
        try {
            checked(at);
        } catch (const argument_error& e) {
            return e.argument() + "|" + e.value() + "|" + e.allowed();
        }
        return "accepted";
    };
    CHECK(refusal({0, 0, 0}) == "size|0|at least 1");
    CHECK(refusal({0, -2, 0}) == "size|-2|at least 1");
    CHECK(refusal({5, 5, 0}) == "rank|5|0..4");
    CHECK(refusal({-1, 5, 0}) == "rank|-1|0..4");
    CHECK(refusal({0, 5, 5}) == "root|5|0..4");
    CHECK(refusal({0, 5, -1}) == "root|-1|0..4");
    CHECK(refusal({4, 5, 4}) == "accepted");
    CHECK(refusal({0, 1, 0}) == "accepted"); // one rank is a group, too
    CHECK(refusal({1, 1, 0}) == "rank|1|0..0");
    CHECK(refusal({0, 1, 1}) == "root|1|0..0");
    CHECK(checked({4, 5, 3}) == place{4, 5, 3});
}
