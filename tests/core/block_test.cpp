// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/block.hpp>

#include <set>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {
std::vector<block_index> members(const block_set& set, block_index blocks) {
    std::vector<block_index> all;
    for (block_index i = 0; i < set.count; ++i) all.push_back(block_at(set, i, blocks));
    return all;
}

std::vector<std::pair<block_index, block_index>> runs(const block_set& set, block_index blocks) {
    std::vector<std::pair<block_index, block_index>> all;
    for_each_run(set, blocks, [&](block_index first, block_index count) { all.emplace_back(first, count); });
    return all;
}
} // namespace

static_assert(sizeof(block_set) <= 24);
static_assert(block_at({3, 4}, 2, 5) == 0);

TEST_CASE("a contiguous block set wraps round the end of the vector", "[core][block]") {
    CHECK(members({3, 4}, 5) == std::vector<block_index>{3, 4, 0, 1});
    CHECK(runs({3, 4}, 5) == std::vector<std::pair<block_index, block_index>>{{3, 2}, {0, 2}});
    CHECK(runs({3, 2}, 5) == std::vector<std::pair<block_index, block_index>>{{3, 2}});
    CHECK(runs({2, 0}, 5).empty());
}

TEST_CASE("a strided block set takes pieces, forwards or backwards, the last one shorter", "[core][block]") {
    CHECK(members({1, 3, 1, 2}, 5) == std::vector<block_index>{1, 3, 0});
    CHECK(members({0, 5, 2, 3}, 10) == std::vector<block_index>{0, 1, 3, 4, 6});
    CHECK(members({4, 3, 1, -2}, 5) == std::vector<block_index>{4, 2, 0});
    CHECK(members({1, 3, 1, -2}, 5) == std::vector<block_index>{1, 4, 2});
    CHECK(runs({0, 5, 2, 3}, 10) == std::vector<std::pair<block_index, block_index>>{{0, 2}, {3, 2}, {6, 1}});
}

TEST_CASE("the runs of a set are its members in order", "[core][block]") {
    for (block_index blocks = 1; blocks <= 7; ++blocks)
        for (block_index first = 0; first < blocks; ++first)
            for (block_index count = 0; count <= blocks; ++count)
                for (std::int32_t run = 0; run <= 3; ++run)
                    for (std::int32_t stride = -4; stride <= 4; ++stride) {
                        const block_set set{first, count, run, stride};
                        std::vector<block_index> from_runs;
                        for (const auto& [start, length] : runs(set, blocks)) {
                            REQUIRE(start + length <= blocks);
                            for (block_index i = 0; i < length; ++i) from_runs.push_back(start + i);
                        }
                        CAPTURE(blocks, first, count, run, stride);
                        REQUIRE(from_runs == members(set, blocks));
                    }
}

TEST_CASE("may_overlap is exact for contiguous sets", "[core][block]") {
    constexpr block_index blocks = 6;
    for (block_index a = 0; a < blocks; ++a)
        for (block_index m = 0; m <= blocks; ++m)
            for (block_index b = 0; b < blocks; ++b)
                for (block_index n = 0; n <= blocks; ++n) {
                    const auto left = members({a, m}, blocks);
                    const std::set<block_index> taken(left.begin(), left.end());
                    bool meet = false;
                    for (const block_index x : members({b, n}, blocks)) meet = meet || taken.count(x) == 1;
                    CAPTURE(a, m, b, n);
                    REQUIRE(may_overlap({a, m}, {b, n}, blocks) == meet);
                }
}

TEST_CASE("may_overlap takes strided sets to meet everything but the empty set", "[core][block]") {
    CHECK(may_overlap({0, 2, 1, 2}, {1, 1}, 6));
    CHECK_FALSE(may_overlap({0, 2, 1, 2}, {1, 0}, 6));
}
