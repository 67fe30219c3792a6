// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

/// Integer arithmetic that rank and block formulas are written in. Everything is exact: no floating-point
/// logarithm decides who talks to whom.
namespace tutti {

/// `a / b` rounded up, for a >= 0 and b > 0.  Example: ceil_div(7, 2) == 4.
template <std::integral I>
constexpr I ceil_div(I a, I b) noexcept {
    return static_cast<I>(a / b + (a % b != 0 ? 1 : 0));
}

/// The representative of `a` modulo `b` in [0, b), for b > 0 and any sign of a.
/// Example with 5 ranks: the left neighbour of rank 0 is mod(0 - 1, 5) == 4.
template <std::integral I>
constexpr I mod(I a, I b) noexcept {
    const I m = static_cast<I>(a % b);
    return m < 0 ? static_cast<I>(m + b) : m;
}

/// Least common multiple of a > 0 and b > 0.  Example: common_multiple(4, 6) == 12.
template <std::integral I>
constexpr I common_multiple(I a, I b) noexcept {
    I divisor = a;
    for (I rest = b; rest != 0;) {
        const I next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return a / divisor * b;
}

/// Largest k with 2^k <= n, for n >= 1.  Example: floor_log2(5) == 2.
constexpr int floor_log2(std::int64_t n) noexcept {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}

/// Smallest k with 2^k >= n, for n >= 1.  Example: ceil_log2(5) == 3.
constexpr int ceil_log2(std::int64_t n) noexcept {
    return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

/// Largest power of two <= n, for n >= 1.  Example: floor_pow2(5) == 4.
template <std::integral I>
constexpr I floor_pow2(I n) noexcept {
    return static_cast<I>(I{1} << floor_log2(n));
}

/// Smallest k with base^k >= n, for base >= 2 and n >= 1.  Example: ceil_log(3, 5) == 2.
constexpr int ceil_log(std::int64_t base, std::int64_t n) noexcept {
    int k = 0;
    // Dividing instead of multiplying: base^k never overflows on the way.
    for (std::int64_t rest = n; rest > 1; rest = ceil_div(rest, base)) ++k;
    return k;
}

/// Largest k with base^k <= n, for base >= 2 and n >= 1.  Example: floor_log(3, 5) == 1.
constexpr int floor_log(std::int64_t base, std::int64_t n) noexcept {
    int k = 0;
    for (std::int64_t rest = n; rest >= base; rest /= base) ++k;
    return k;
}

/// base^exponent, for results that fit.
constexpr std::int64_t power(std::int64_t base, int exponent) noexcept {
    if (base == 2) return std::int64_t{1} << exponent; // binomial trees ask in every round
    std::int64_t result = 1;
    for (;;) { // by squaring; the last square is not taken, for it need not fit
        if (exponent % 2 != 0) result *= base;
        exponent /= 2;
        if (exponent == 0) return result;
        base *= base;
    }
}

/// The low `bits` bits of `x` in reverse order, 0 <= bits <= 63.  Example: reverse_bits(1, 3) == 4.
constexpr std::int64_t reverse_bits(std::int64_t x, int bits) noexcept {
    // Halves change places, then their halves: butterflies ask for this in every round.
    auto u = static_cast<std::uint64_t>(x);
    u = (u >> 32) | (u << 32);
    u = (u >> 16 & 0x0000ffff0000ffffU) | (u & 0x0000ffff0000ffffU) << 16;
    u = (u >> 8 & 0x00ff00ff00ff00ffU) | (u & 0x00ff00ff00ff00ffU) << 8;
    u = (u >> 4 & 0x0f0f0f0f0f0f0f0fU) | (u & 0x0f0f0f0f0f0f0f0fU) << 4;
    u = (u >> 2 & 0x3333333333333333U) | (u & 0x3333333333333333U) << 2;
    u = (u >> 1 & 0x5555555555555555U) | (u & 0x5555555555555555U) << 1;
    return static_cast<std::int64_t>(u >> 1 >> (63 - bits));
}

} // namespace tutti
