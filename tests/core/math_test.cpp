// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/math.hpp>

#include <cstdint>
#include <limits>

#include "support/catch2.hpp"

using namespace tutti;

static_assert(ceil_div(7, 2) == 4);
static_assert(mod(-1, 5) == 4);
static_assert(ceil_log2(5) == 3);

TEST_CASE("ceil_div rounds up and does not overflow", "[core][math]") {
    CHECK(ceil_div(0, 3) == 0);
    CHECK(ceil_div(6, 3) == 2);
    CHECK(ceil_div(7, 3) == 3);
    CHECK(ceil_div(std::numeric_limits<std::int64_t>::max(), std::int64_t{2}) == std::int64_t{1} << 62);
}

TEST_CASE("mod is cyclic for negative numbers", "[core][math]") {
    for (int a = -20; a <= 20; ++a) {
        CHECK(mod(a, 5) == (a + 100) % 5);
        CHECK(mod(a, 1) == 0);
    }
}

TEST_CASE("logarithms are exact around every power", "[core][math]") {
    for (std::int64_t base = 2; base <= 9; ++base)
        for (int k = 1; power(base, k) < (std::int64_t{1} << 40); ++k) {
            const std::int64_t n = power(base, k);
            CAPTURE(base, k);
            REQUIRE(ceil_log(base, n) == k);
            REQUIRE(floor_log(base, n) == k);
            REQUIRE(ceil_log(base, n + 1) == k + 1);
            REQUIRE(floor_log(base, n - 1) == k - 1);
            if (base == 2) {
                REQUIRE(ceil_log2(n) == k);
                REQUIRE(floor_log2(n) == k);
                REQUIRE(ceil_log2(n + 1) == k + 1);
                REQUIRE(floor_log2(n + 1) == k);
                REQUIRE(floor_pow2(n) == n);
                REQUIRE(floor_pow2(2 * n - 1) == n);
            }
        }
    CHECK(ceil_log(7, 1) == 0);
    CHECK(floor_log(7, 1) == 0);
    CHECK(ceil_log2(1) == 0);
    CHECK(ceil_log2(0) == 0);
    CHECK(floor_log2(1) == 0);
}

TEST_CASE("logarithms of the largest number of ranks do not overflow", "[core][math]") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(ceil_log(2, most) == 63);
    CHECK(floor_log(2, most) == 62);
    CHECK(ceil_log2(most) == 63);
    CHECK(floor_log2(most) == 62);
}

TEST_CASE("reverse_bits reverses the low bits and drops the others", "[core][math]") {
    CHECK(reverse_bits(1, 3) == 4);
    CHECK(reverse_bits(6, 3) == 3);
    CHECK(reverse_bits(13, 3) == 5);
    CHECK(reverse_bits(5, 0) == 0);
    for (std::int64_t x = 0; x < 64; ++x) CHECK(reverse_bits(reverse_bits(x, 6), 6) == x);
    for (const std::int64_t x :
         {std::int64_t{1}, std::int64_t{0x123456789abcdef}, std::int64_t{0x7edcba9876543210}})
        for (int bits = 0; bits <= 63; ++bits) {
            std::int64_t bit_by_bit = 0;
            for (int k = 0; k < bits; ++k) bit_by_bit = bit_by_bit * 2 + (x >> k & 1);
            CHECK(reverse_bits(x, bits) == bit_by_bit);
        }
}

TEST_CASE("a common multiple is the least that both divide", "[core][math]") {
    for (int a = 1; a <= 12; ++a)
        for (int b = 1; b <= 12; ++b) {
            int least = a;
            while (least % b != 0) least += a;
            CHECK(common_multiple(a, b) == least);
        }
}
