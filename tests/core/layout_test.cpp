// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/layout.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {
std::vector<std::int64_t> sizes(const block_layout& layout) {
    std::vector<std::int64_t> all;
    for (block_index b = 0; b < layout.blocks(); ++b) all.push_back(layout.size(b));
    return all;
}
} // namespace

TEST_CASE("an even layout has blocks that differ by one element at most, larger ones first",
          "[core][layout]") {
    CHECK(sizes(block_layout::even(7, 5)) == std::vector<std::int64_t>{2, 2, 1, 1, 1});
    CHECK(sizes(block_layout::even(10, 5)) == std::vector<std::int64_t>{2, 2, 2, 2, 2});
    CHECK(sizes(block_layout::even(2, 5)) == std::vector<std::int64_t>{1, 1, 0, 0, 0});
    CHECK(sizes(block_layout::even(0, 3)) == std::vector<std::int64_t>{0, 0, 0});
}

TEST_CASE("an aligned layout has borders on multiples of its unit only", "[core][layout]") {
    CHECK(sizes(block_layout::aligned(10, 3, 4)) == std::vector<std::int64_t>{4, 4, 2});
    CHECK(sizes(block_layout::aligned(3, 3, 8)) == std::vector<std::int64_t>{3, 0, 0});
    for (std::int64_t elements = 0; elements <= 50; ++elements)
        for (block_index blocks = 1; blocks <= 9; ++blocks)
            for (std::int64_t unit = 1; unit <= 9; ++unit) {
                const auto layout = block_layout::aligned(elements, blocks, unit);
                CAPTURE(elements, blocks, unit);
                REQUIRE(layout.offset(0) == 0);
                REQUIRE(layout.offset(blocks) == elements);
                for (block_index b = 0; b < blocks; ++b) {
                    REQUIRE(layout.size(b) >= 0);
                    const bool on_unit = layout.offset(b) % unit == 0;
                    REQUIRE((on_unit || layout.offset(b) == elements));
                }
            }
}

TEST_CASE("a layout by counts keeps the counts", "[core][layout]") {
    const std::vector<std::int64_t> counts{3, 0, 5, 1};
    const auto layout = block_layout::by_counts(counts);
    CHECK(sizes(layout) == counts);
    CHECK(layout.elements() == 9);
    CHECK(layout.offset(2) == 3);
    CHECK(layout.size(1, 3) == 6);
    CHECK_FALSE(layout.uniform());
    CHECK_FALSE(block_layout::by_counts(std::vector<std::int64_t>{5, 4, 4}).uniform());
    CHECK(block_layout::by_counts(std::vector<std::int64_t>{4, 4}).uniform());
}

TEST_CASE("the elements of a block set are summed over its cyclic pieces", "[core][layout]") {
    const auto layout = block_layout::by_counts(std::vector<std::int64_t>{1, 10, 100, 1000});
    CHECK(layout.size(block_set{.first = 3, .count = 2}) == 1001);
    CHECK(layout.size(block_set{.first = 0, .count = 2, .run = 1, .stride = 2}) == 101);
    CHECK(layout.size(block_set{.first = 2, .count = 0}) == 0);
}

TEST_CASE("pieces a stride apart are as long as their blocks one by one, however often they go round",
          "[core][layout]") {
    for (const std::int64_t elements : {0, 3, 13, 26, 41})
        for (block_index first = 0; first < 13; ++first)
            for (block_index count = 0; count <= 13; ++count)
                for (const std::int32_t stride : {-3, 1, 2, 5, 8, 12})
                    for (const std::int32_t run : {1, 2, 3}) {
                        const auto layout = block_layout::even(elements, 13);
                        const block_set set{.first = first, .count = count, .run = run, .stride = stride};
                        std::set<block_index> members;
                        std::int64_t sum = 0;
                        for (block_index i = 0; i < count; ++i) {
                            members.insert(block_at(set, i, 13));
                            sum += layout.size(block_at(set, i, 13));
                        }
                        const bool distinct = members.size() == static_cast<std::size_t>(count);
                        if (!distinct || layout.size(set) == sum) continue;
                        CAPTURE(elements, first, count, stride, run);
                        CHECK(layout.size(set) == sum);
                    }
}

TEST_CASE("uniform says whether all blocks are equally long", "[core][layout]") {
    for (std::int64_t elements = 0; elements <= 40; ++elements)
        for (block_index blocks = 1; blocks <= 7; ++blocks)
            for (std::int64_t unit = 1; unit <= 4; ++unit) {
                const auto layout = block_layout::aligned(elements, blocks, unit);
                bool equal = true;
                for (const std::int64_t n : sizes(layout)) equal = equal && n == layout.size(0);
                CAPTURE(elements, blocks, unit);
                REQUIRE(layout.uniform() == equal);
            }
}

TEST_CASE("layouts count beyond 32 bits", "[core][layout]") {
    const std::int64_t elements = std::int64_t{1} << 40;
    const auto layout = block_layout::even(elements, 3);
    CHECK(layout.size(0) == elements / 3 + 1);
    CHECK(layout.offset(3) == elements);
}

TEST_CASE("impossible layouts are refused", "[core][layout]") {
    CHECK_THROWS_AS(block_layout::even(-1, 2), argument_error);
    CHECK_THROWS_AS(block_layout::even(1, 0), argument_error);
    CHECK_THROWS_AS(block_layout::aligned(1, 1, 0), argument_error);
    CHECK_THROWS_AS(block_layout::by_counts({}), argument_error);
    try {
        block_layout::by_counts(std::vector<std::int64_t>{1, -7});
        FAIL("a negative count was accepted");
    } catch (const argument_error& e) {
        CHECK(std::string(e.what()) == "tutti: counts[1] is -7; allowed: at least 0");
    }
}

TEST_CASE("of a layout that is cut evenly, blocks from the first on are the longest of as many",
          "[core][layout]") {
    for (const std::int64_t elements : {0, 1, 7, 100})
        for (const std::int64_t unit : {1, 4}) {
            const block_layout l = block_layout::aligned(elements, 6, unit);
            CHECK(l.cut_evenly());
            for (block_index count = 1; count <= 6; ++count)
                for (block_index first = 0; first < 6; ++first) {
                    const block_set elsewhere{.first = first, .count = count};
                    CHECK(l.size(elsewhere) <= l.size(block_set{.first = 0, .count = count}));
                }
        }
    const std::vector<std::int64_t> counts{1, 2};
    CHECK_FALSE(block_layout::by_counts(counts).cut_evenly());
}
