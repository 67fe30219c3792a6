// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/block_bytes.hpp>

#include <cstdint>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("blocks have the bytes of their elements", "[core]") {
    const std::vector<std::int64_t> counts{3, 0, 5};
    const block_bytes bytes(block_layout::by_counts(counts), 4);
    CHECK(bytes.blocks() == 3);
    CHECK(bytes.element() == 4);
    CHECK(bytes.total() == 32);
    CHECK(bytes({.first = 0, .count = 1}) == 12);
    CHECK(bytes({.first = 1, .count = 1}) == 0);
    CHECK(bytes({.first = 2, .count = 2}) == 32); // wraps round: blocks 2 and 0
    CHECK(bytes({.first = 0, .count = 2, .run = 1, .stride = 2}) == 32);
    CHECK(bytes({}) == 0);
}

TEST_CASE("a vector of bytes is cut into whole elements, as evenly as they allow", "[core]") {
    const block_bytes bytes = block_bytes::even(56, 5, 8);
    for (const block_index b : {0, 1}) CHECK(bytes({.first = b, .count = 1}) == 16);
    for (const block_index b : {2, 3, 4}) CHECK(bytes({.first = b, .count = 1}) == 8);
    CHECK(block_bytes::even(63, 5, 8).total() == 56); // no part of an element
    CHECK(block_bytes::even(7, 5, 8).total() == 0);
    CHECK(block_bytes::even(7, 5).total() == 7);
}

TEST_CASE("bytes are counted in 64 bits", "[core]") {
    const std::int64_t terabytes = std::int64_t{1} << 42;
    CHECK(block_bytes::even(terabytes, 1 << 20, 8)({.first = 0, .count = 1 << 19}) == terabytes / 2);
}

TEST_CASE("an element has at least one byte, and bytes are not negative", "[core]") {
    CHECK_THROWS_AS(block_bytes(block_layout::even(5, 5), 0), argument_error);
    CHECK_THROWS_AS(block_bytes::even(40, 5, 0), argument_error);
    CHECK_THROWS_AS(block_bytes::even(-8, 5, 8), argument_error);
}
